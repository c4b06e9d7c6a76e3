/** Answers that would take a backtracking pattern minutes: the test ends only if the work is in proportion to the text. */
import { expect, test } from 'vitest';

import { cleanReply } from '../../../../src-core/features/gateway/reply/cleanReply.ts';
import { stripReasoning } from '../../../../src-core/features/gateway/reply/stripReasoning.ts';

/** The limit of an answer. */
const length = 128 * 1_024;

test.each([
  ...['*', '**', '***', '_', '__', '~', '~~', '`', '``', '[', '![', '](', '[](', '[a](b "', '(', ')', '<', '<http://'],
  ...[
    '<think>',
    '</think>',
    '#',
    '# ',
    ' #',
    '>',
    '> ',
    '- ',
    ' ',
    '\t',
    '\n',
    ' \n',
    '\r',
    '\u{1F600}',
    '\u{1F600}\u200D',
  ],
  ...[
    '\u200D',
    '\uFE0F',
    '1\uFE0F',
    '\u{1F1E6}',
    '★',
    ' ★',
    '|',
    '| ',
    '|-',
    '|a\n|-\n',
    '$',
    '$$',
    '$a',
    '\\(',
    '\\[',
    '\\frac{',
    '$\\frac{',
    'http://a',
    '→',
    ' →',
    '&amp;',
    '<a ',
    '<br',
    '[^',
    '【1†',
    '•',
    '\\*',
    '1°C',
    '①',
    '~',
    '1~',
    '-1',
    '\uE001',
    '\u{E0041}',
    '\u{1F3F4}\u{E0067}',
    '\u{1F3FB}',
    '\uE000',
  ],
  ...['*a', 'a*', '**a', '_a', '`a', 'a`', '``a`', '* a', 'x\n', '*\n', 'x'],
])('512 kB of %j is cleaned, alone and after a mark', (unit) => {
  const run = unit.repeat(length / unit.length);
  for (const text of [`x${run}x`, `# ${run}x`])
    expect(cleanReply(stripReasoning(text)).length).toBeLessThanOrEqual(text.length);
});
