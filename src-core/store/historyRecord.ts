import type { BegunCall, HistoryRow } from './historyTypes.ts';

/** @throws TypeError if a parsed record lacks a member without which a call cannot be shown. */
export function requireHistoryRecord(record: Partial<HistoryRow>): void {
  requireBegunRecord(record);
  const { result } = record;
  requireTypes([result?.status], [result?.durationMs]);
}

/** The same for a call that has no result yet. */
export function requireBegunRecord({ callId, qualifiedName, source, startedAt }: Partial<BegunCall>): void {
  requireTypes([callId, qualifiedName, source?.kind], [startedAt]);
}

/** A record, source or result that is null throws a TypeError by itself. */
function requireTypes(texts: unknown[], numbers: unknown[]): void {
  const isSound =
    texts.every((text) => typeof text === 'string') && numbers.every((number) => typeof number === 'number');
  if (!isSound) throw new TypeError('The record is damaged.');
}
