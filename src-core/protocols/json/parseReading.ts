import { createFences } from './fences.ts';
import { readInert } from './inert.ts';
import { readBare } from './readBare.ts';
import { readCode } from './readCode.ts';
import { callTags, paint, type Reading } from './reading.ts';
import { readStrayEnd, readTagged } from './readTagged.ts';
import { reportUnclosedFences } from './unclosedFences.ts';

/** Goes once through the text, from one thing that may matter to the next. */
export function parseReading(reading: Reading): void {
  const { text } = reading;
  const inert = reading.inertCalls === undefined;
  const fences = createFences(text);
  const interesting = inert ? /[<{[]/g : /[<{[`~]/g;
  for (let at = 0; ;) {
    interesting.lastIndex = at;
    const found = interesting.exec(text);
    if (found === null) break;
    at = found.index;
    const start = at;
    const ran = reading.requests.length;
    const sign = found[0];
    if (sign === '`' || sign === '~') at = readCode(reading, fences, at);
    else if (sign !== '<') at = readBare(reading, at);
    else if (text.startsWith(callTags.open, at)) at = readTagged(reading, at);
    else if (text.startsWith(callTags.close, at)) at = readStrayEnd(reading, at);
    else at = (inert ? undefined : readInert(reading, at)) ?? at + 1;
    const isBare = sign === '{' || sign === '[';
    if (reading.requests.length > ran) reading.runs.push({ start, end: at, isBare });
  }
  reportUnclosedFences(reading);
  paint(reading, 'prose', text.length);
}
