/**
 * The VCP parser under generated texts. A short run here; `FUZZ_RUNS=1000000 FUZZ_SEED=7 npx vitest run --config
 * tests/vitest.config.ts tests/fuzz/vcp.test.ts` for a long one. Time is counted in the parser's own steps, not by clock.
 */
import { describe, expect, test } from 'vitest';

import { createVcpParser } from '../../src-core/protocols/vcp/createVcpParser.ts';
import { parseVcp } from '../../src-core/protocols/vcp/parseVcp.ts';
import { vcpDialects, type VcpDialect } from '../../src-core/protocols/vcp/types.ts';
import { edgeCases } from '../core/protocols/vcp/edgeCases.ts';
import { call } from '../core/protocols/vcp/blocks.ts';
import { vcpPieces } from '../core/protocols/vcp/vcpArbitrary.ts';
import { mutate, Random, randomChunks, randomText } from './vcpInputs.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 4_000);
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
/** Looking ahead is bounded, so that even a text fed by single characters costs no more than this for each. */
const stepsPerCharacter = 400;
const base = edgeCases.length > 0 ? edgeCases.map(({ text }) => text) : [call];

function stepsOf(chunks: Iterable<string>, dialect: VcpDialect): number {
  const counter = { steps: 0 };
  const parser = createVcpParser({ dialect, counter });
  for (const chunk of chunks) parser.feed(chunk);
  parser.end();
  return counter.steps;
}

/** What must hold for any text: no throw, whole coverage, the same however it is cut, and bounded work. */
function check(text: string, dialect: VcpDialect, random: Random): string | undefined {
  let count = 0;
  const newId = (): string => `id${count++}`;
  const counter = { steps: 0 };
  const whole = parseVcp(text, { dialect, newId, counter });
  let at = 0;
  for (const { start, end } of whole.regions) {
    if (start !== at || end <= start) return `regions do not tile at ${at}`;
    at = end;
  }
  if (at !== text.length) return 'regions do not reach the end';
  if (counter.steps > 60 * text.length + 400) return `${counter.steps} steps for ${text.length} characters`;
  count = 0;
  const fed = { steps: 0 };
  const parser = createVcpParser({ dialect, newId, counter: fed });
  for (const chunk of randomChunks(random, text, 9)) parser.feed(chunk);
  if (JSON.stringify(parser.end()) !== JSON.stringify(whole)) return 'the cuts change the result';
  if (fed.steps > stepsPerCharacter * text.length + 400)
    return `${fed.steps} steps, fed, for ${text.length} characters`;
  return undefined;
}

test(
  `${runs} generated texts: none throws, all are covered, the same however cut, in bounded work`,
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
    ...Array.from({ length: Math.min(20_000, 150 + runs / 50) }, () =>
      Array.from({ length: 2 + random.below(3) }, () => random.piece()),
    ),
  ];

  test.each([
    ['at once', (text: string) => [text]],
    ['40 characters at a time', (text: string) => text.match(/[^]{1,40}/g) ?? []],
  ])('every piece and sequence of pieces, repeated, %s', { timeout: 60_000 + runs * 4 }, (_, cut) => {
    for (const sequence of sequences) {
      const text = sequence.join('').repeat(Math.ceil(3_000 / sequence.join('').length));
      for (const opening of [
        '',
        '<<<[TOOL_REQUEST]>>>\n',
        '<<<[TOOL_REQUEST]>>>\nv:「始」',
        '<<<[TOOL_REQUEST]>>>\nv:「始ESCAPE」',
        '```\n',
        '<think>',
      ]) {
        const once = stepsOf(cut(opening + text), dialect);
        const twice = stepsOf(cut(opening + text + text), dialect);
        if (twice > 2.5 * once + 2_000)
          expect.fail(`${once} steps, then ${twice}: ${JSON.stringify([opening, ...sequence])}`);
      }
    }
  });
});
