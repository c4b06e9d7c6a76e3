import fc from 'fast-check';

/** Pieces that mean something to a VCP reader, whole, broken and look-alike. */
export const vcpPieces: readonly string[] = [
  '<<<[TOOL_REQUEST]>>>',
  '<<<[END_TOOL_REQUEST]>>>',
  '\n<<<[TOOL_REQUEST]>>>\n',
  '\n<<<[END_TOOL_REQUEST]>>>\n',
  '<<<[TOOL_RESULT]>>>',
  '<<<[END_TOOL_RESULT]>>>',
  '<<<[TOOL_REQUEST_ESCAPE]>>>',
  '<<<[END_TOOL_REQUEST_ESCAPE]>>>',
  '<<<[TOOL_REQUEST_EXP]>>>',
  '<<<[END_TOOL_REQUEST_EXP]>>>',
  '<<[TOOL_REQUEST]>>',
  '<<<[tool_request]>>>',
  '\n<<[TOOL_REQUEST]>>\n',
  '\n<<[END_TOOL_REQUEST]>>\n',
  '[TOOL_REQUEST]',
  '[END_TOOL_REQUEST]',
  '[TOOL REQ',
  '[to',
  '[E',
  '\nTOOL_REQUEST\n',
  '\nEND_TOOL_REQUEST\n',
  '【TOOL_REQUEST】',
  '**END_TOOL_REQUEST**',
  '&lt;&lt;[tool_request]&gt;&gt;',
  '</tool_request>',
  '《',
  '<<<[TOOL_REQ',
  '<<<',
  ']>>>',
  '[[VCP调用结果信息汇总:',
  'VCP调用结果结束]]',
  '[[AIO工具调用结果信息汇总:',
  'AIO工具调用结果结束]]',
  '[[',
  '「始」',
  '「末」',
  '「始ESCAPE」',
  '「末ESCAPE」',
  '「始escape」',
  '「末escape」',
  '「始exp」',
  '「末exp」',
  '『始』',
  '『末』',
  '{始}',
  '{末}',
  '「始「',
  '「',
  '」',
  '始',
  '末',
  'tool_name:「始」t「末」',
  '\ntool_name:「始」t「末」,',
  'command:「始」c「末」',
  '\nv:「始」',
  'v:「始ESCAPE」',
  '\ncommand1:「始」c「末」',
  '\np1:「始」x「末」',
  'request_id:「始」r「末」',
  'valet:「始」V「末」',
  '__proto__:「始」x「末」',
  '参数:「始」',
  '"k":「始」',
  'a.b:「始」',
  'k：「始」',
  'tool_name',
  ':',
  '：',
  ',',
  '，',
  ';',
  '- ',
  '> ',
  '`',
  '``',
  '```',
  '\n```\n',
  '\n```js\n',
  '\n~~~\n',
  '~~~',
  '~~',
  '`a`',
  '    ',
  '<think>',
  '</think>',
  '< THINK id="1">',
  '<\u3000think>',
  '< b ',
  '</ Think >',
  '<thinking>',
  '</thinking>',
  '<',
  '>',
  '/',
  '\n',
  '\n\n',
  '\r\n',
  '\\n',
  '\t',
  ' ',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '\u0000',
  '👩‍👧',
  '\ud83d',
  '\ude00',
  'text',
  '文字',
  '//note ',
  '# note\n',
  '\\\\',
];

/** Any text, mostly of pieces that matter. */
export const vcpText = (maximum = 24): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...vcpPieces) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
      ),
      { maxLength: maximum },
    )
    .map((pieces) => pieces.join(''));

/** Any value of an argument: pieces that could break out of it, and any code units. */
export const vcpValue: fc.Arbitrary<string> = fc.oneof(
  vcpText(10),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);

/** A text cut into chunks, down to single code units. */
export const cutText = (text: fc.Arbitrary<string>): fc.Arbitrary<{ text: string; chunks: string[] }> =>
  fc.tuple(text, fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 12 })).map(([whole, sizes]) => {
    const chunks: string[] = [];
    for (let at = 0, index = 0; at < whole.length; index++) {
      const size = sizes[index % sizes.length]!;
      chunks.push(whole.slice(at, at + size));
      at += size;
    }
    return { text: whole, chunks };
  });
