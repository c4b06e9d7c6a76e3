import type { TextRange } from '../../base/replyTypes.ts';
import type { Fence } from './fences.ts';
import type { JsonDiagnostic, JsonRegion, JsonRegionKind, JsonRequest } from './types.ts';

/** A parse under way. */
export interface Reading {
  readonly text: string;
  readonly newId: (position: number) => string;
  /**
   * The positions of calls in a stretch of reasoning, code or an echo. Absent if this text is itself such a stretch: then
   * nothing in it is set aside again.
   */
  readonly inertCalls: ((text: string) => TextRange[]) | undefined;
  readonly opener: Finder;
  readonly closer: Finder;
  readonly requests: JsonRequest[];
  readonly diagnostics: JsonDiagnostic[];
  readonly regions: JsonRegion[];
  /** Up to here every character lies in a region. */
  regionEnd: number;
  blocks: number;
  readonly unclosedFences: Fence[];
  /** Text that holds calls that run, with its tags or fence. */
  readonly runs: Run[];
  /** The calls so far, as one text each. */
  readonly known: Set<string>;
}

export interface Run extends TextRange {
  /** JSON without tags or fence. */
  isBare: boolean;
}

/** The tags of a call. */
export const callTags = { open: '<tool_call>', close: '</tool_call>' } as const;

export function createReading(given: Pick<Reading, 'text' | 'newId' | 'inertCalls'>): Reading {
  return {
    ...given,
    requests: [],
    diagnostics: [],
    regions: [],
    regionEnd: 0,
    blocks: 0,
    opener: createFinder(given.text, callTags.open),
    closer: createFinder(given.text, callTags.close),
    known: new Set(),
    unclosedFences: [],
    runs: [],
  };
}

/** The text from the last region's end to `end` is of this kind. */
export function paint(reading: Reading, kind: JsonRegionKind, end: number, block?: number): void {
  const start = reading.regionEnd;
  if (end <= start) return;
  const last = reading.regions.at(-1);
  reading.regionEnd = end;
  if (last !== undefined && last.kind === kind && last.block === block && block === undefined) last.end = end;
  else reading.regions.push({ kind, start, end, ...(block !== undefined && { block }) });
}

/** Whether there is only white space from `start` to the end of a line, or of the text. */
function endsLine({ text }: Reading, start: number): boolean {
  let at = start;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at >= text.length || text.charCodeAt(at) === 0x0a;
}

/** Whether there is only white space before `end` on its line. */
function beginsLine({ text }: Reading, end: number): boolean {
  let at = end - 1;
  while (at >= 0 && isBlank(text.charCodeAt(at))) at--;
  return at < 0 || text.charCodeAt(at) === 0x0a;
}

/** Whether a value has its lines to itself. */
export function standsAlone(reading: Reading, { start, end }: TextRange): boolean {
  return beginsLine(reading, start) && endsLine(reading, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** Offset of the first occurrence at or after `from`, `Infinity` if there is none. `from` never decreases. */
type Finder = (from: number) => number;

/** Looks for one string, forwards only, and remembers: however often it is asked, it passes over the text once. */
function createFinder(text: string, needle: string): Finder {
  let next = -1;
  return (from) => {
    if (next >= from) return next;
    const found = text.indexOf(needle, from);
    next = found < 0 ? Infinity : found;
    return next;
  };
}
