/** What is taken out of an answer so that it can be spoken, and what stays (seed 004 §5.2; spec/gateway.md, 14). */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { cleanReply as cleanAnswer } from '../../../src-core/gateway/reply/cleanReply.ts';
import { stripReasoning } from '../../../src-core/gateway/reply/stripReasoning.ts';

const cleanReply = (text: string): string => cleanAnswer(stripReasoning(text));

test.each([
  // Pictographs with their joiners, selectors and skin tones, flags, keycaps, decoration.
  ['今天晴☀️出门吧👨‍👩‍👧‍👦！', '今天晴出门吧！'],
  ['好 👍🏽 的', '好 的'],
  ['国旗🇨🇳和🏴󠁧󠁢󠁥󠁮󠁧󠁿', '国旗和'],
  ['1️⃣ 第一 2️⃣ 第二', '第一 第二'],
  ['★☆◆◇●■□ 重点', '重点'],
  ['❤️🔥🎉', ''],
  // Markdown.
  ['**加粗**和*斜体*和***都是***', '加粗和斜体和都是'],
  ['__粗__ _斜_ ~~删~~', '粗 斜 删'],
  ['# 标题\n## 小标题 ##', '标题\n小标题'],
  ['- 一\n* 二\n+ 三\n  - [x] 四', '一\n二\n三\n四'],
  ['1. 一\n2. 二', '1. 一\n2. 二'],
  ['> 引用\n> > 两层', '引用\n两层'],
  ['[文字](https://a.b/c_(d)) ![图](x.png "标题") <https://e.f>', '文字 图 https://e.f'],
  ['用 `a*b` 和\n```js\nconst c = d*e*f;\n```\n完', '用 a*b 和\nconst c = d*e*f;\n完'],
  ['一\n\n---\n\n二', '一\n\n二'],
  ['**用 `x_y_z` 做**', '用 x_y_z 做'],
  // Reasoning.
  ['<think>\n嗯，**用户**问…\n</think>\n\n你好', '你好'],
  ['被模板开的头</think>你好', '你好'],
  ['你好<think>没想完', '你好'],
  ['<THINKING>a</THINKING>b<reasoning>c</reasoning>', 'b'],
  // What stays.
  ['3*4=12，5 * 6 = 30，2*3*4', '3*4=12，5 * 6 = 30，2*3*4'],
  ['snake_case_name 和 a*b*c', 'snake_case_name 和 a*b*c'],
  ['x**2 + y**2', 'x**2 + y**2'],
  ['C# 和 F#，#1', 'C# 和 F#，#1'],
  ['#  标题  ##  ', '标题'],
  ['# a ## b', 'a ## b'],
  ['##   ', ''],
  ['好   👍   的   ', '好 的'],
  ['``a`b``', '``a`b``'],
  ['0123456789 # * ©2024 ™ → ①', '0123456789 # * ©2024 ™ → ①'],
  ['“引号”，《书名》…——、。！？：；', '“引号”，《书名》…——、。！？：；'],
  ['http://a_b_c.d/e_f_g', 'http://a_b_c.d/e_f_g'],
  ['日本語、한국어、Русский', '日本語、한국어、Русский'],
  ['f(*args, **kwargs)', 'f(*args, **kwargs)'],
  ['a < b > c', 'a < b > c'],
])('%j becomes %j', (text, cleaned) => {
  expect(cleanReply(text)).toBe(cleaned);
});

test('plain words of any script are left as they are', () => {
  const word = fc.stringMatching(/^[\p{L}\p{Nd}，。！？、：；“”《》]{1,20}$/u);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const text = words.join(' ');
      expect(cleanReply(text)).toBe(text);
    }),
  );
});

test('whatever comes, no pictograph and no reasoning is left, and nothing throws', () => {
  const piece = fc.constantFrom(
    '*',
    '**',
    '_',
    '`',
    '```',
    '\n',
    '[',
    '](',
    ')',
    '<think>',
    '</think>',
    '👍',
    '🏽',
    '\u200D',
    '\uFE0F',
    '🇨',
    '1',
    'a',
    ' ',
    '中',
    '#',
    '>',
    '-',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(cleanReply(pieces.join(''))).not.toMatch(/[👍🏽🇨]|<\/?think>/u);
    }),
    { numRuns: 500 },
  );
});
