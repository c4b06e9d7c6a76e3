import type { FrameRow } from '../../../src-core/contract/types.ts';
import { isFailure, isSound, type LogEntry } from './wireRows.ts';

/** The words of a search, and the `seq` of the frames that hold each. */
export interface WordHits {
  words: readonly { text: string; excluded: boolean; seqs: ReadonlySet<number> }[];
  /** Later frames have not been searched yet. */
  upTo: number;
}

/** What of a log is shown. What is absent lets everything pass. */
export interface LogFilter {
  /** Rows with an excluded word are not shown. */
  found?: WordHits | undefined;
  /** Only the hits of the search. */
  onlyHits?: boolean | undefined;
  /** Only rows that report a failure, and requests of which this is true: they get no answer. */
  failed?: ((entry: LogEntry) => boolean) | undefined;
  direction?: FrameRow['direction'] | undefined;
  /** Rows of sound are not shown: a device that listens sends one every few seconds. */
  hidesSound?: boolean;
  /** An answer is shown on its request's row. */
  fold: boolean;
  /** Requests whose answer is laid out under them all the same. */
  unfolded: ReadonlySet<number>;
}

/** Whether an entry is in the list by itself. A folded pair is there where either half fits. */
export function isShown(entry: LogEntry, filter: LogFilter): boolean {
  const { request } = entry;
  if (filter.fold && request) return filter.unfolded.has(request.row.seq) && isShown(request, filter);
  const answer = filter.fold ? entry.answer : undefined;
  const { found, failed, direction, hidesSound } = filter;
  if (hidesSound && isSound(entry.row)) return false;
  if (direction !== undefined && entry.row.direction !== direction) return false;
  if (failed && !isFailure(entry.row) && !(answer && isFailure(answer.row)) && !failed(entry)) return false;
  return (
    found === undefined || (!isExcluded(entry, answer, found) && (!filter.onlyHits || isHit(entry, answer, found)))
  );
}

/** Whether a row, with the answer that is folded into it, holds all words that were searched for. */
export function isHit({ row }: LogEntry, answer: LogEntry | undefined, { words }: WordHits): boolean {
  let count = 0;
  for (const { excluded, seqs } of words) {
    if (excluded) continue;
    count += 1;
    if (!seqs.has(row.seq) && !(answer && seqs.has(answer.row.seq))) return false;
  }
  return count > 0;
}

/** What has not been searched yet is held back: otherwise each excluded frame would appear for a moment. */
function isExcluded({ row }: LogEntry, answer: LogEntry | undefined, { words, upTo }: WordHits): boolean {
  return words.some(
    ({ excluded, seqs }) =>
      excluded && (row.seq > upTo || seqs.has(row.seq) || (answer !== undefined && seqs.has(answer.row.seq))),
  );
}

/** The words of a search field: apart by spaces or in quotes, excluded with a `-` in front. */
export function searchWords(text: string): { text: string; excluded: boolean }[] {
  const words = [...text.matchAll(/(-?)(?:"([^"]+)"(?=\s|$)|(\S+))/g)].map(([, minus, quoted, plain = '']) => ({
    text: quoted ?? plain,
    excluded: minus === '-',
  }));
  // A `-` alone is a word that has not been typed yet.
  return words.filter((word) => word.text !== '-' || word.excluded).slice(0, maxWords);
}

const maxWords = 8;
