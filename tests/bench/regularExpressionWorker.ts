/** Runs regular expressions over repeated units, and posts the slowest text of each. */
import { parentPort, workerData } from 'node:worker_threads';

/** What one literal took, in ms of processor time, over the unit that takes it longest. */
export interface LiteralTime {
  literal: string;
  text: string;
  /** ms by length: 64 kB and its doublings up to 1 MB, or 64 kB alone if that took too long. */
  ms: number[];
  /** ms of a plain scan of the longest text. */
  floor: number;
}

/** Characters of the shortest and the longest text. */
const lengths = [65_536, 131_072, 262_144, 524_288, 1_048_576];
/** ms at the first length after which the longer ones are not tried. */
const tooSlow = 50;
const common = [
  'a',
  'A',
  '0',
  ' ',
  '\t',
  '\n',
  '_',
  '-',
  '.',
  ',',
  '"',
  '\\',
  '/',
  '<',
  '(',
  '[',
  '{',
  '*',
  '`',
  '#',
  '=',
  'é',
  '字',
];
const tails = ['', '\u0000', '\n!'];

for (const literal of workerData as string[]) parentPort?.postMessage(measure(literal));

function measure(literal: string): LiteralTime {
  const end = literal.lastIndexOf('/');
  const source = literal.slice(1, end);
  const expression = new RegExp(source, literal.slice(end + 1));
  let worst = { ms: -1, unit: '', tail: '' };
  for (const unit of unitsOf(source)) {
    for (const tail of tails) {
      const ms = timeOf(expression, textOf(unit, tail, lengths[0] ?? 0));
      if (ms > worst.ms) worst = { ms, unit, tail };
      if (ms > tooSlow) break;
    }
    if (worst.ms > tooSlow) break;
  }
  const { unit, tail } = worst;
  const tried = worst.ms > tooSlow ? lengths.slice(0, 1) : lengths;
  const texts = tried.map((length) => textOf(unit, tail, length));
  return {
    literal,
    text: JSON.stringify(unit) + (tail === '' ? '' : ` … ${JSON.stringify(tail)}`),
    // The shorter of two, so that a garbage collection does not count.
    ms: texts.map((text) => Math.min(timeOf(expression, text), timeOf(expression, text))),
    floor: scanTime(texts.at(-1) ?? ''),
  };
}

/** Units to repeat: common characters, and those of the expression, one by one, in pairs and all together. */
function unitsOf(source: string): Set<string> {
  const plain = source
    .replaceAll(/\\[dw]/g, '1')
    .replaceAll(/\\s/g, ' ')
    .replaceAll(/\\t/g, '\t')
    .replaceAll(/\\n/g, '\n')
    .replaceAll(/\\[pP]\{[^}]*\}|\\[bBDSW]|\(\?<?[:=!]/g, '')
    .replaceAll(/\\(.)/g, '$1');
  const own = [...new Set(plain)].slice(0, 24);
  const pairs = own.slice(1).map((each, at) => (own[at] ?? '') + each);
  return new Set([
    ...common,
    ...own,
    ...pairs,
    ...own.map((each) => `${each}a`),
    ...own.map((each) => `${each} `),
    plain,
  ]);
}

function textOf(unit: string, tail: string, length: number): string {
  return unit === '' ? tail : unit.repeat(Math.ceil((length - tail.length) / unit.length)) + tail;
}

function timeOf(expression: RegExp, text: string): number {
  const start = process.threadCpuUsage();
  if (expression.global) text.replace(expression, '');
  else expression.test(text);
  expression.lastIndex = 0;
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

function scanTime(text: string): number {
  const start = process.threadCpuUsage();
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum ^= text.charCodeAt(at);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000 + sum * 0;
}
