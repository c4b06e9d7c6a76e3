import type { CaptureInfo, RealtimeSessionInfo } from '../../../../src-core/contract/types.ts';

/** A row of the list; `key` is the id of a conversation, or `capture:<id>` of an imported one. */
export type ConversationRow =
  | { kind: 'session'; key: string; session: RealtimeSessionInfo }
  | { kind: 'heading'; key: string; count: number }
  | { kind: 'capture'; key: string; capture: CaptureInfo };

/** px of a row. */
export const rowHeight = ({ kind }: ConversationRow): number => (kind === 'heading' ? 30 : 62);

/** Conversations, then imported ones under a heading. */
export function conversationRows(
  sessions: readonly RealtimeSessionInfo[],
  captures: readonly CaptureInfo[],
): ConversationRow[] {
  return [
    ...sessions.map((session): ConversationRow => ({ kind: 'session', key: session.id, session })),
    ...(captures.length === 0 ? [] : [{ kind: 'heading' as const, key: 'heading', count: captures.length }]),
    ...captures.map((capture): ConversationRow => ({ kind: 'capture', key: `capture:${capture.id}`, capture })),
  ];
}
