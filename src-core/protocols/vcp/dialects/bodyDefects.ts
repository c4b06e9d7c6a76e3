import { isSpace } from '../characters.ts';
import { Finder, nowhere } from '../finder.ts';
import { markers } from '../markers.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { VcpDiagnostic } from '../types.ts';
import { hostDefect, type HostField } from './hostReading.ts';

/** A body as a host reads it. Fields in order of the text. */
export interface ReadBody {
  text: string;
  bodyStart: number;
  bodyEnd: number;
  fields: readonly Pick<HostField, 'key' | 'keyStart' | 'valueStart' | 'valueEnd' | 'end' | 'escaped'>[];
  /** Which value of a key counts if this host merges two blocks into one call. */
  winner: 'first' | 'last';
  toSource: (range: TextRange) => TextRange;
}

/** What both hosts do to a body without a word: merge blocks, swallow fields into a value, lose fields. */
export function bodyDefects(body: ReadBody): VcpDiagnostic[] {
  const { text, bodyStart, bodyEnd, fields, toSource } = body;
  const window = { text: text.slice(bodyStart, bodyEnd), base: bodyStart, end: bodyEnd };
  const start = new Finder(markers.start);
  const begin = new Finder('始');
  const diagnostics: VcpDiagnostic[] = [];
  let from = bodyStart;
  for (const { key, keyStart, valueStart, valueEnd, end, escaped } of fields) {
    lookBetween(from, keyStart);
    if (!escaped && swallowsField(text.slice(valueStart, valueEnd))) {
      const value = toSource({ start: valueStart, end: valueEnd });
      diagnostics.push(
        hostDefect(value, `“${key}” is not closed on its own: the host takes the next field into its value.`),
      );
    }
    from = Math.max(from, end);
  }
  lookBetween(from, bodyEnd);
  return diagnostics;

  function lookBetween(gapStart: number, gapEnd: number): void {
    const at = start.find(window, gapStart);
    if (at < gapEnd) {
      const message =
        body.winner === 'first'
          ? 'The block before has no end: the host makes one call of both, and the first value of a key counts.'
          : 'The block before has no end: the host makes one call of both, and the last value of a key counts.';
      diagnostics.push(hostDefect(toSource({ start: at, end: at + markers.start.length }), message));
    }
    for (
      let sign = begin.find(window, gapStart);
      sign < gapEnd && sign !== nowhere;
      sign = begin.find(window, sign + 1)
    ) {
      if (!followsColon(text, sign - 1, gapStart)) continue;
      const message = 'The host does not read the field of this fence: it is lost without a word.';
      diagnostics.push(hostDefect(toSource({ start: sign - 1, end: sign + 1 }), message));
    }
  }
}

/** Whether a bracket at `at` follows a colon, as an opening fence does. */
function followsColon(text: string, at: number, floor: number): boolean {
  if (at < floor || !'「『{【'.includes(text[at] ?? ' ')) return false;
  let i = at - 1;
  while (i >= floor && at - i < 16 && isSpace(text.charCodeAt(i))) i--;
  return i >= floor && (text[i] === ':' || text[i] === '：');
}

/** A line inside the value starts a field. */
function swallowsField(value: string): boolean {
  return /\n[ \t]{0,16}[A-Za-z0-9_-]{1,64}[ \t]{0,8}:[ \t]{0,8}「始/.test(value);
}
