import { refusedSpans } from './blockSpans.ts';
import type { OmittedParts, ReplyDiagnostic, ReplyReading, ReplyRequest } from '../base/replyTypes.ts';

/** How much of a reading is passed on. */
export interface ReadingLimits {
  /** A serial block that exceeds it is passed on whole. */
  calls: number;
  /** Names and values of all calls. */
  fields: number;
  /** Characters of all calls, with each copy of a value. */
  characters: number;
  diagnostics: number;
  regions: number;
}

/** As much as a window shows, and as takes a few milliseconds to copy. */
export const windowLimits: ReadingLimits = {
  calls: 500,
  fields: 10_000,
  characters: 2_000_000,
  diagnostics: 500,
  regions: 8_000,
};

/** Characters of a diagnostic's message, which may name a key of any length. */
const maxMessage = 500;
/** Characters of the fixes of all diagnostics. */
const maxFixCharacters = 200_000;

/** The first parts of a reading, and how many of each kind were left out. Text may come from anyone, and have any number. */
export function boundReading(reading: ReplyReading, limits: ReadingLimits = windowLimits): ReplyReading {
  const requests = firstRequests(reading.requests, limits);
  const diagnostics = boundTexts(reading.diagnostics.slice(0, limits.diagnostics));
  const regions = reading.regions.slice(0, limits.regions);
  const omitted: OmittedParts = {
    calls: countCalls(reading.requests) - countCalls(requests),
    diagnostics: reading.diagnostics.length - diagnostics.length,
    regions: reading.regions.length - regions.length,
    refused: 0,
  };
  const bounded = { ...reading, requests, diagnostics, regions };
  if (Object.values(omitted).every((count) => count === 0)) return bounded;
  const shown = refusedSpans({ ...bounded, omitted }, diagnostics).length;
  omitted.refused = Math.max(0, refusedSpans(reading, reading.diagnostics).length - shown);
  return { ...bounded, omitted };
}

/** Calls of requests; a serial block has several. */
export function countCalls(requests: readonly ReplyRequest[]): number {
  return requests.reduce((count, { calls }) => count + Math.max(1, calls?.length ?? 0), 0);
}

/** Those before the first one that does not fit. A serial block is whole or is left out: half of it would be another request. */
function firstRequests(requests: readonly ReplyRequest[], limits: ReadingLimits): ReplyRequest[] {
  let { calls, fields, characters } = limits;
  const end = requests.findIndex((request) => {
    const size = sizeOf(request);
    const isFull = calls <= 0;
    calls -= countCalls([request]);
    fields -= size.fields;
    characters -= size.characters;
    return isFull || fields < 0 || characters < 0;
  });
  return end === -1 ? [...requests] : requests.slice(0, end);
}

function sizeOf({ rawBlock, args, rawArgs, control = {}, raw, calls = [], fields }: ReplyRequest) {
  const copies = [args, rawArgs, control, raw?.args ?? {}, ...calls.map((call) => call.args)].map(
    Object.entries<string>,
  );
  const lengths = copies.flat().map(([key, value]) => key.length + value.length);
  return {
    fields: Math.max(fields.length, lengths.length),
    characters: lengths.reduce((sum, length) => sum + length, rawBlock.length),
  };
}

/** Without room for its fix, a diagnostic says what is wrong all the same. */
function boundTexts(diagnostics: readonly ReplyDiagnostic[]): ReplyDiagnostic[] {
  let left = maxFixCharacters;
  return diagnostics.map((diagnostic) => {
    const { guess, fix, ...plain } = diagnostic;
    const length = (fix?.edits ?? []).reduce((sum, { newText }) => sum + newText.length + 40, guess?.length ?? 0);
    const hasRoom = length <= left;
    if (hasRoom) left -= length;
    return { ...(hasRoom ? diagnostic : plain), message: cutMessage(plain.message) };
  });
}

function cutMessage(message: string): string {
  return message.length <= maxMessage ? message : `${message.slice(0, maxMessage).toWellFormed()}…`;
}
