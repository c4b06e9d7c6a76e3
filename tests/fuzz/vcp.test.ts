/**
 * The VCP parser under generated texts. A short run here; `FUZZ_RUNS=1000000 FUZZ_SEED=7 npx vitest run --config
 * tests/vitest.config.ts tests/fuzz/vcp.test.ts` for a long one. Work is measured without a clock (`measureWork.ts`).
 */
import { afterAll, describe, expect, test } from 'vitest';

import { createVcpParser } from '../../src-core/protocols/vcp/createVcpParser.ts';
import { parseVcp } from '../../src-core/protocols/vcp/parseVcp.ts';
import { vcpDialects } from '../../src-core/protocols/vcp/types.ts';
import type { VcpDialect } from '../../src-core/base/replyTypes.ts';
import { edgeCases } from '../core/protocols/vcp/edgeCases.ts';
import { call } from '../core/protocols/vcp/blocks.ts';
import { openWorkMeter } from '../core/protocols/measureWork.ts';
import { vcpPieces } from '../core/protocols/vcp/vcpArbitrary.ts';
import { mutate, Random, randomChunks, randomText } from './vcpInputs.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 2_000);
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
const base = edgeCases.length > 0 ? edgeCases.map(({ text }) => text) : [call];

const meter = openWorkMeter();
afterAll(() => meter[Symbol.asyncDispose]());

/** What must hold for any text: no throw, whole coverage, the same however it is cut. */
function check(text: string, dialect: VcpDialect, random: Random): string | undefined {
  let count = 0;
  const newId = (): string => `id${count++}`;
  const whole = parseVcp(text, { dialect, newId });
  let at = 0;
  for (const { start, end } of whole.regions) {
    if (start !== at || end <= start) return `regions do not tile at ${at}`;
    at = end;
  }
  if (at !== text.length) return 'regions do not reach the end';
  count = 0;
  const parser = createVcpParser({ dialect, newId });
  for (const chunk of randomChunks(random, text, 9)) parser.feed(chunk);
  if (JSON.stringify(parser.end()) !== JSON.stringify(whole)) return 'the cuts change the result';
  return undefined;
}

test(
  `${runs} generated texts: none throws, all are covered, the same however cut`,
  { timeout: 60_000 + runs * 4 },
  () => {
    const random = new Random(seed);
    for (let run = 0; run < runs; run++) {
      const chosen = base[random.below(base.length)]!;
      const text = run % 3 === 0 ? mutate(random, chosen + randomText(random, 4)) : randomText(random, 40);
      const dialect = run % 4 === 3 ? vcpDialects[random.below(vcpDialects.length)]! : 'standard';
      const failure = check(text, dialect, random);
      if (failure !== undefined) expect.fail(`${failure}: run ${run}, dialect ${dialect}, ${JSON.stringify(text)}`);
    }
  },
);

describe.each(vcpDialects)('work grows with the text and no faster: %s', (dialect) => {
  const random = new Random(seed);
  const sequences = [
    ...vcpPieces.map((piece) => [piece]),
    // Each opens a fence and closes none.
    ['text', '\n~~~'],
    ['text', '\n```'],
    ['\na: b'],
    ...Array.from({ length: Math.min(20_000, 70 + runs / 50) }, () =>
      Array.from({ length: 2 + random.below(3) }, () => random.piece()),
    ),
  ];

  /** What is before and after the pieces. */
  const frames = [
    ['', ''],
    ['<<<[TOOL_REQUEST]>>>\n', ''],
    ['<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\n', '\n<<<[END_TOOL_REQUEST]>>>'],
    ['<<<[TOOL_REQUEST]>>>\nv:「始」', ''],
    ['<<<[TOOL_REQUEST]>>>\nv:「始ESCAPE」', ''],
    ['```\n', ''],
    ['<think>', ''],
  ];

  // The hosts read a finished reply: they only collect the pieces.
  const chunks = dialect === 'standard' ? [Infinity, 40] : [Infinity];

  test.each(chunks)(
    'every piece and sequence of pieces, repeated, %s characters at a time',
    async (chunk) => {
      for (const sequence of sequences) {
        const textsOf = (length: number): string[] => {
          const text = sequence.join('').repeat(Math.ceil(length / sequence.join('').length));
          return frames.map(([before, after]) => `${before}${text}${after}`);
        };
        const once = await meter.measure(textsOf(250), dialect, chunk);
        const eightTimes = await meter.measure(textsOf(2_000), dialect, chunk);
        expect(once).toBeGreaterThan(frames.length * 250);
        if (eightTimes > 9 * once + 2_000)
          expect.fail(`work of ${once}, then ${eightTimes}: ${JSON.stringify(sequence)}`);
      }
    },
    60_000 + runs * 4,
  );
});
