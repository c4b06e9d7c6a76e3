/** Chat files are read and written in a separate process: one may have megabytes. */
import { hasMoreValues } from '../../base/hasMoreValues.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Work } from '../../base/workProcess.ts';
import { maxRecordLength, type EntryRecord } from './chatBook.ts';
import type { ChatCall, ChatEntry } from '../../contract/chat.ts';
import { invalidFile, readChatFile, type ReadChatFile } from './readChatFile.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import { closeEntry } from './closeEntry.ts';

/** Characters of the entries that cross at once, unless one entry has more, and entries. */
const partLength = 500_000;
const partEntries = 1_000;
/** Values that one entry may have; the arguments of a call are one text. */
const maxEntryValues = 10_000;
/** An entry whose indented JSON has more characters is written on one line: indentation can make it many times as long. */
const maxIndentedLength = 200_000;

/** Entries of a file from an index on. */
export interface ChatFilePart {
  title: string;
  options: ReadChatFile['options'];
  entries: EntryRecord[];
  /** The index of the first entry of the next part. */
  next?: number;
}

/** What is wrong with a file. */
export interface ChatFileProblem {
  field: string | undefined;
  message: string;
}

/** Opens a file in the pieces of its text; a question is the index of an entry. */
export const readFileWork: Work<readonly string[], number, ChatFilePart | { problem: ChatFileProblem }> = {
  name: 'readChatFile',
  open(pieces) {
    try {
      const { title, options, entries } = readChatFile(pieces.join(''));
      const records = entries.map(toRecord);
      return (from) => ({ title, options, ...partOf(records, from) });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { field, message } = error;
      return () => ({ problem: { field, message } });
    }
  },
};

/** Entries as they are in the list of a file. */
export interface WrittenEntries {
  text: string;
  /** Why a file with them cannot be imported, in the words of the import. */
  problem?: string;
}

/** Writes entries as they are in the list of a file. A question has their records, and the index of the first in the list. */
export const writeEntriesWork: Work<undefined, { records: readonly string[]; from: number }, WrittenEntries> = {
  name: 'writeChatEntries',
  open:
    () =>
    ({ records, from }) => {
      const written = records.map((record, at) => writeEntry(JSON.parse(record) as ChatEntry, from + at));
      const problem = written.find((entry) => entry.problem !== undefined)?.problem;
      return { text: written.map(({ text }) => text).join(',\n'), ...(problem !== undefined && { problem }) };
    },
};

function writeEntry(entry: ChatEntry, at: number): { text: string; problem: string | undefined } {
  const written = fileEntry(entry);
  const indented = JSON.stringify(written, undefined, 2).replaceAll('\n', '\n    ');
  const text = `    ${indented.length > maxIndentedLength ? JSON.stringify(written) : indented}`;
  return { text, problem: problemOf(JSON.stringify(entry), at)?.message };
}

function toRecord(entry: ReadChatFile['entries'][number], at: number): EntryRecord {
  const record = JSON.stringify(entry);
  const problem = problemOf(record, at);
  if (problem !== undefined) throw problem;
  return { id: entry.id, record };
}

/** Why an entry is too large to be imported. */
function problemOf(record: string, at: number): RequestError | undefined {
  const most = maxRecordLength.toLocaleString('en');
  if (record.length > maxRecordLength) return invalidFile(`entries.${at}`, `it has more than ${most} characters`);
  if (!hasMoreValues(record, maxEntryValues)) return undefined;
  return invalidFile(`entries.${at}`, `it has more than ${maxEntryValues.toLocaleString('en')} values`);
}

function partOf(records: readonly EntryRecord[], from: number): Pick<ChatFilePart, 'entries' | 'next'> {
  let end = from;
  const most = Math.min(records.length, from + partEntries);
  for (let length = 0; end < most && (end === from || length < partLength); end += 1)
    length += records[end]?.record.length ?? 0;
  return { entries: records.slice(from, end), ...(end < records.length && { next: end }) };
}

/** An entry as it is in a file; a turn under way is closed in it. Changes `entry`. */
function fileEntry(entry: ChatEntry): object {
  if (entry.role === 'assistant') {
    closeEntry(entry, { why: 'The chat was exported before this call had a result.', because: 'exported' });
    delete entry.stepId;
  }
  const kept: Partial<ChatEntry> = entry;
  delete kept.position;
  delete kept.revision;
  return entry.role === 'assistant' ? { ...kept, calls: entry.calls.map(fileCall) } : kept;
}

/** A file is for people: arguments are JSON in it, not text. */
function fileCall({ askedArgsJson, argsJson, ...call }: ChatCall): object {
  return { ...call, askedArgs: parseArgsJson(askedArgsJson), args: parseArgsJson(argsJson) };
}
