import type { HistoryRow } from './historyTypes.ts';

/** @throws TypeError if a parsed record lacks a member without which a call cannot be shown. */
export function requireHistoryRecord(record: Partial<HistoryRow>): void {
  // A record, source or result that is null throws a TypeError by itself.
  const { callId, qualifiedName, source, startedAt, result } = record;
  const texts = [callId, qualifiedName, source?.kind, result?.status];
  const numbers = [startedAt, result?.durationMs];
  const isSound =
    texts.every((text) => typeof text === 'string') && numbers.every((number) => typeof number === 'number');
  if (!isSound) throw new TypeError('The record is damaged.');
}
