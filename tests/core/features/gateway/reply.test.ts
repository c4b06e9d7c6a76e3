/** What is taken out of an answer so that it can be spoken, and what stays (docs/protocols/gateway.md#replies). */
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { cleanReply as cleanAnswer } from '../../../../src-core/features/gateway/reply/cleanReply.ts';
import { stripReasoning } from '../../../../src-core/features/gateway/reply/stripReasoning.ts';

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
  ['[文字](https://a.b/c_(d)) ![图](x.png "标题") <https://e.f>', '文字 图 e.f'],
  ['用 `a*b` 和\n```js\nconst c = d*e*f;\n```\n完', '用 a*b 和\nconst c = d*e*f;\n完'],
  ['一\n\n---\n\n二', '一\n\n二'],
  ['**用 `x_y_z` 做**', '用 x_y_z 做'],
  // Reasoning.
  ['<think>\n嗯，**用户**问…\n</think>\n\n你好', '你好'],
  ['被模板开的头</think>你好', '你好'],
  ['你好<think>没想完', '你好'],
  ['<THINKING>a</THINKING>b<reasoning>c</reasoning>', 'b'],
  // Escapes, bullets, notes, HTML.
  ['2 \\* 3 \\# \\_x\\_', '2 * 3 # _x_'],
  ['• 一\n  • 二\n· 三', '一\n二\n三'],
  ['据报道[^2]今天【4†source】有雨\n[^2]: 气象台', '据报道今天有雨\n 气象台'],
  ['第一行<br>第二行<br/>第三行<b>粗</b><span style="color:red">红</span>&nbsp;&amp;', '第一行\n第二行\n第三行粗红 &'],
  ['List<String> 和 <T>', 'List<String> 和 <T>'],
  ['`<b>` 和 `\\*`', '<b> 和 \\*'],
  // Tables.
  [
    '天气：\n\n| 城市 | 气温 | 晴 |\n|---|:--:|--:|\n| 北京 | 22℃ | ✓ |\n| **上海** | -3℃ | ❌ |\n\n完',
    '天气：\n\n北京：气温22摄氏度，晴是。\n上海：气温零下3摄氏度，晴否。\n\n完',
  ],
  ['Room | Light\n--- | ---\nKitchen | on\nHall |', 'Kitchen: Light on.\nHall.'],
  ['| 甲 | 乙 |\n|---|---|', '甲：乙。'],
  ['a | b\nc | d', 'a | b\nc | d'],
  ['```\n| a | b |\n|---|---|\n| 1 | 2 |\n```', '| a | b |\n|---|---|\n| 1 | 2 |'],
  // Web addresses.
  ['详见 https://www.example.com/a_b_c?x=1#y。', '详见 example.com。'],
  ['See http://user:pw@a_b_c.d:8080/e_f_g.', 'See a_b_c.d.'],
  ['See https://a.b.', 'See a.b.'],
  // Units and signs.
  [
    '今天-5℃~8°C，湿度60%，风速3.5m/s，PM2.5 35μg/m³',
    '今天零下5摄氏度到8摄氏度，湿度60%，风速3.5米每秒，PM2.5 35微克每立方米',
  ],
  ['房间20m²，门高2 m，重5kg，跑了10km', '房间20平方米，门高2米，重5公斤，跑了10公里'],
  ['It is 22°C and 5 km away, on 5G; 3m', 'It is 22 degrees Celsius and 5 kilometers away, on 5G; 3m'],
  ['数≥3，≈5，±2', '数大于等于3，约5，正负2'],
  ['北京→上海', '北京，上海'],
  ['①第一 ② 第二 ❸第三 ⑴ ⒉', '1、第一 2 第二 3、第三 1 2'],
  ['▲ 涨 ▼ 跌 ○ ※ 注 ✓ 好 ♪ 歌 ▶ ◎ 〓', '涨  跌   注  好  歌'],
  ['二○二五年', '二〇二五年'],
  // Formulas.
  ['面积是 $\\pi r^2$，一半是 $\\frac{1}{2}$', '面积是 pi r的平方，一半是 2分之1'],
  [
    '\\(a_1 \\times b\\) and \\[\\sqrt{x^2 + 1} \\leq 3\\]',
    'a 1 times b and the square root of x squared + 1 at most 3',
  ],
  ['$$E = mc^{2}$$', 'E = mc squared'],
  ['It costs $5 and $10, $5-$10.', 'It costs $5 and $10, $5-$10.'],
  ['$HOME and $PATH', '$HOME and $PATH'],
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
  ['0123456789 # * ©2024 ™', '0123456789 # * ©2024 ™'],
  ['“引号”，《书名》…——、。！？：；', '“引号”，《书名》…——、。！？：；'],
  ['日本語、한국어、Русский', '日本語、한국어、Русский'],
  ['f(*args, **kwargs)', 'f(*args, **kwargs)'],
  ['a < b > c', 'a < b > c'],
])('%j becomes %j', (text, cleaned) => {
  expect(cleanReply(text)).toBe(cleaned);
});

test('keeps plain text of any script', () => {
  // A number with a unit is written out, as `0L` is.
  const word = fc.stringMatching(/^[\p{L}\p{Nd}，。！？、：；“”《》]{1,20}$/u).filter((text) => !/[0-9]/.test(text));
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
