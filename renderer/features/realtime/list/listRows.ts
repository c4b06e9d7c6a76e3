import type { CaptureInfo, RealtimeSessionInfo } from '../../../../src-core/contract/types.ts';
import type { ListHeading } from '../../../ui/MasterList.vue';
import { t } from '../../../i18n/index.ts';

/** A row of the list; `key` is the id of a conversation, or `capture:<id>` of an imported one. */
export type ConversationRow =
  | { kind: 'session'; key: string; session: RealtimeSessionInfo }
  | { kind: 'capture'; key: string; capture: CaptureInfo };

/** Conversations, then imported ones under a heading. */
export function conversationRows(
  sessions: readonly RealtimeSessionInfo[],
  captures: readonly CaptureInfo[],
): (ConversationRow | ListHeading)[] {
  return [
    ...sessions.map((session): ConversationRow => ({ kind: 'session', key: session.id, session })),
    ...(captures.length === 0
      ? []
      : [
          {
            kind: 'heading' as const,
            key: 'heading',
            title: t('realtime.list.importedTitle'),
            count: captures.length,
          },
        ]),
    ...captures.map((capture): ConversationRow => ({ kind: 'capture', key: `capture:${capture.id}`, capture })),
  ];
}
