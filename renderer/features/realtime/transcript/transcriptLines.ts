import type {
  RealtimeTimelineItem,
  RealtimeToolCall,
  RealtimeTranscriptEntry,
} from '../../../../src-core/contract/types.ts';

/** An item of the timeline that is a call. */
export type CallItem = RealtimeTimelineItem & { call: RealtimeToolCall };

/** A line of the conversation as it is read: what was said, or a call between. */
export type TranscriptLine =
  | { kind: 'said'; key: string; at: number; entry: RealtimeTranscriptEntry }
  | { kind: 'call'; key: string; at: number; item: CallItem };

/** What was said and what was called, in the order of time. */
export function transcriptLines(
  transcript: readonly RealtimeTranscriptEntry[],
  items: readonly RealtimeTimelineItem[],
): TranscriptLine[] {
  const said = transcript.map((entry): TranscriptLine => ({ kind: 'said', key: entry.id, at: entry.at, entry }));
  const calls = items.flatMap((item): TranscriptLine[] =>
    item.call === undefined
      ? []
      : [{ kind: 'call', key: `call-${item.seq}`, at: item.from, item: { ...item, call: item.call } }],
  );
  return [...said, ...calls].sort((a, b) => a.at - b.at);
}
