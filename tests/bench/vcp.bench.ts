/**
 * The VCP parser against its limits. Every case runs at 1×, 2×, 4× and 8× its first size, and beside it
 * the floor: one `indexOf` scan of the same text in the same run. The best of several rounds counts, as other programs
 * share the machine. MB are of UTF-8.
 */
import { createVcpParser } from '../../src-core/protocols/vcp/createVcpParser.ts';
import { parseVcp } from '../../src-core/protocols/vcp/parseVcp.ts';
import { earlierCommit, loadEarlierVcp } from './earlierVcp.ts';
import { blocks, block463, closedEscapes, mixed, oneLongValue, prose, unclosedOpeners } from './vcpTexts.ts';

/** A case: its texts, smallest first, and the line that the largest must hold. */
interface Case {
  name: string;
  /** Makes the text of about this many bytes of UTF-8. */
  text: (bytes: number) => string;
  /** Bytes at 8×. */
  bytes: number;
  /** MB/s at least. */
  atLeast: number;
  /** The limit in words. */
  line: string;
}

const perMegabyte = 1000 / 20;
const cases: Case[] = [
  {
    name: 'prose without a block, English',
    text: (bytes) => prose(bytes, 'english'),
    bytes: 10e6,
    atLeast: 700,
    line: '700 MB/s',
  },
  {
    name: 'prose without a block, Chinese',
    text: (bytes) => prose(bytes, 'chinese'),
    bytes: 10e6,
    atLeast: 700,
    line: '700 MB/s',
  },
  { name: 'mixed, a block every 1.4 kB', text: mixed, bytes: 10e6, atLeast: 150, line: '150 MB/s' },
  { name: 'small blocks, 470 B each', text: blocks, bytes: 7.5e6, atLeast: perMegabyte, line: '20 ms per MB' },
  { name: '「始」 that never close', text: unclosedOpeners, bytes: 0.9e6, atLeast: perMegabyte, line: '20 ms per MB' },
  { name: 'closed ESCAPE fields', text: closedEscapes, bytes: 1.1e6, atLeast: perMegabyte, line: '20 ms per MB' },
  { name: 'one value of base64url', text: oneLongValue, bytes: 100e3, atLeast: perMegabyte, line: '20 ms per MB' },
];

const scales = [1, 2, 4, 8];

/**
 * Time of one `work` in milliseconds: the best of several rounds, which go on until 0.4 s are spent, five at least. A
 * small text is read several times a round, so that rounds of all sizes do as much and pay as much for the collector.
 */
function best(work: () => unknown, times = 1): number {
  let least = Infinity;
  const until = performance.now() + 400;
  for (let round = 0; round < 5 || performance.now() < until; round++) {
    least = Math.min(least, timeOf(work, times));
  }
  return least;
}

/** Milliseconds of one `work`, over several in a row. */
function timeOf(work: () => unknown, times: number): number {
  const started = performance.now();
  for (let time = 0; time < times; time++) work();
  return (performance.now() - started) / times;
}

function rate(text: string, milliseconds: number): number {
  return Buffer.byteLength(text) / 1000 / milliseconds;
}

export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const rows: Record<string, string | number>[] = [];
  const held: boolean[] = [];
  const add = (row: Record<string, string | number>, holds: boolean): void => {
    rows.push({ ...row, holds: holds ? 'yes' : 'NO' });
    held.push(holds);
  };
  const block = singleBlock();
  add({ case: 'one block of 463 bytes', measured: `${block.toFixed(2)} µs`, line: '3 µs' }, block <= 3);
  for (const { name, text, bytes, atLeast, line } of cases) {
    const rates: number[] = [];
    let floor = 0;
    for (const scale of scales) {
      const sample = text((bytes * scale) / 8);
      rates.push(
        rate(
          sample,
          best(() => parseVcp(sample), 8 / scale),
        ),
      );
      floor = rate(
        sample,
        best(() => sample.indexOf('\u0001')),
      );
    }
    const measured = rates.at(-1) ?? 0;
    const inLine = line.endsWith('MB') ? `${(1000 / measured).toFixed(2)} ms per MB` : `${measured.toFixed(0)} MB/s`;
    add(
      {
        case: `${name}, ${megabytes(bytes)}`,
        measured: inLine,
        line,
        ...scaling(rates),
        'indexOf floor': `${floor.toFixed(0)} MB/s`,
      },
      measured >= atLeast,
    );
  }
  const flatness = flatnessOfMixed();
  add(
    { case: 'mixed, rate at 10 MB against 1 MB', measured: `× ${flatness.toFixed(2)}`, line: '× 0.8' },
    flatness >= 0.8,
  );
  const earlier = await loadEarlierVcp();
  for (const { name, text, line } of earlierCases) {
    const row = { case: `${name}, 1 MB, against commit ${earlierCommit}`, line: `× ${line}` };
    if (typeof earlier === 'string') {
      add({ ...row, measured: earlier }, true);
      continue;
    }
    const [before, now] = inTurns([() => earlier(text), 5], [() => parseVcp(text), 5]);
    add({ ...row, measured: `× ${(before / now).toFixed(2)}` }, before / now >= line);
  }
  const fed = scales.map((scale) => fedTime(mixed((100e3 * scale) / 8)));
  const fedScaling = Object.fromEntries(
    scales.map((scale, index) => [`${scale}×`, `${(fed[index] ?? 0).toFixed(2)} ms`]),
  );
  add(
    {
      case: '100 kB fed 40 characters at a time',
      measured: `${(fed.at(-1) ?? 0).toFixed(2)} ms`,
      line: '20 ms',
      ...fedScaling,
    },
    (fed.at(-1) ?? Infinity) <= 20,
  );
  return Promise.resolve({ title: 'VCP parser', rows, pass: held.every(Boolean) });
}

/** How many times as fast as the parser of an earlier commit this one has to be, for 1 MB. */
const earlierCases = [
  { name: 'prose, English', text: prose(1e6, 'english'), line: 3 },
  { name: 'prose, Chinese', text: prose(1e6, 'chinese'), line: 3 },
  { name: 'mixed', text: mixed(1e6), line: 2 },
];

/** The rate at 10 MB as a part of that at 1 MB. */
function flatnessOfMixed(): number {
  const small = mixed(1e6);
  const large = mixed(10e6);
  const [smallTime, largeTime] = inTurns([() => parseVcp(small), 10], [() => parseVcp(large), 1]);
  return rate(large, largeTime) / rate(small, smallTime);
}

/** Best times of two, each several times in a row. Rounds take turns, so that what else the machine does meets both. */
function inTurns(a: [() => unknown, number], b: [() => unknown, number]): [number, number] {
  const least: [number, number] = [Infinity, Infinity];
  for (let round = 0; round < 30; round++) {
    least[0] = Math.min(least[0], timeOf(...a));
    least[1] = Math.min(least[1], timeOf(...b));
  }
  return least;
}

/** Microseconds for one block alone, parser and all. */
function singleBlock(): number {
  const count = 5_000;
  return best(() => parseVcp(block463), count) * 1000;
}

function fedTime(text: string): number {
  return best(() => {
    const parser = createVcpParser();
    for (let at = 0; at < text.length; at += 40) parser.feed(text.slice(at, at + 40));
    return parser.end();
  });
}

function scaling(rates: readonly number[]): Record<string, string> {
  return Object.fromEntries(scales.map((scale, index) => [`${scale}×`, `${(rates[index] ?? 0).toFixed(0)} MB/s`]));
}

function megabytes(bytes: number): string {
  return `${bytes / 1e6} MB`;
}
