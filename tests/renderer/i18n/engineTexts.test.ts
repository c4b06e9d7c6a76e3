/** What the engine says, in Chinese: every sentence of its source that reaches a window has one, and each is used. */
import { expect, test } from 'vitest';
import { z } from 'zod';

import { environmentSchema, manifestSchema, savedCallSchema } from '../../../src-core/features/collections/format.ts';
import { readText } from '../../../src-core/features/collections/readCollection.ts';
import { createWording } from '../../../renderer/i18n/engine/createWording.ts';
import { causeTexts } from '../../../renderer/i18n/engine/zh/causes.ts';
import { storedTexts } from '../../../renderer/i18n/engine/zh/storedTexts.ts';
import { validatorTexts } from '../../../renderer/i18n/engine/zh/validator.ts';
import { engineTexts } from '../../../renderer/i18n/engine/zh/index.ts';
import { readReply } from '../../../src-core/protocols/readReply.ts';
import { edgeCases } from '../../core/protocols/vcp/edgeCases.ts';
import { isSentence, sourceTexts } from './engineSentences.ts';

/** Whose sentences reach no window, or are worded there by a code. */
const elsewhere: [RegExp, string][] = [
  [
    /^(cli|cli\.ts|useSystemNetwork\.ts|serveWorkbench\.ts|dataDir\.ts|logFile\.ts|converters|gatewayClient|deviceSide|base\/checkOptions|features\/captures\/mcp)\b/,
    'a terminal, a library',
  ],
  [/^features\/devices\/virtual\//, 'what a device says'],
  [/^(realtime\/scripted|features\/models\/defaultScript)/, 'what a model or its server says'],
  [/^(features\/(chat\/offerTools|vision\/pictureAnswerer)|realtime\/session\/toolCalls)/, 'what a model is told'],
  [
    /^(ownedStore|features\/(settings\/service|realtime\/testProfile|devices\/entry\/keptApprovals))/,
    'what a device or a model is told, the log',
  ],
  [/^features\/gateway\/serverTools\//, 'what a tool says'],
  [
    /^features\/gateway\/(clientTools|connection|gatewayRoutes|read|run|systemPrompt)/,
    'what a client of the gateway is told',
  ],
  [
    /^(mcp\/auth\/listenForCallback|features\/servers\/conformance\/(headlessSignIn|messageCarrier))/,
    'a browser, the suite',
  ],
  [/^features\/servers\/superviseServer/, 'a program that uses the library'],
  [/^features\/(hosts\/|endpoint\/endpointPeer)/, 'what a host or an endpoint is told, by MCP and HTTP'],
  [/^features\/cluster\/shared(Store|Approvals|Tokens)/, 'the log'],
  [/^features\/gateway\/refusedPages/, 'the log of the headless command'],
  [
    /^(server\/(?!listenError)|features\/(devices\/ota\/otaRoute|cluster\/relayedPictures|vision\/(?!service|visionGuest|visionDesk|visionAccess|pictureShelf)))/,
    'HTTP',
  ],
  [
    /^(protocols\/(registry|generate|\w+\/(generate|format))|registry\/dangerReasons|registry\/callDanger|engine\/earlierResults)/,
    'what a model or a program is told, harm by its code',
  ],
  [/^features\/collections\/check/, 'verdicts, by their codes'],
  [
    /^(store|worker\.ts|audio\/(?!readWav|wavFormat)|contract|rpc\/(?!client|serveWire)|registry\/toolRegistryManager)/,
    'faults of ours, in the log',
  ],
];

/** Texts of files that also have texts for a window: what a model or a program is told, and the log of the headless command. */
const toOthers =
  /^(You are shown a picture that|What is in this picture\?|Does nothing\. Never|You can call the tools that are|Allow it with --allow|createDirectoryTreeTool needs)/;

const texts = sourceTexts()
  .map(({ file, text }) => ({ file: file.replace('src-core/', ''), text }))
  .filter(({ file }) => !file.startsWith('base/messages/'));
const word = createWording(engineTexts);

/** A value that has to be an engine text is marked in the key. */
const known = new Set(Object.keys(engineTexts).map((english) => english.replaceAll('!}', '}')));
/** Sentences that are worded in parts, and faults of ours. */
const inParts = new Set([
  '{0}; the minimum is {1}.',
  '{0}; the maximum is {1}.',
  'The text holds calls of VCP and of JSON; the first is one of {0}.',
  'The calls in the text are written in {0}.',
  'The first call in the text is a {0} one of {1}.',
  'The text holds no call.',
  'The text has ended: a parser takes one text. Make a new one.',
  '“{0}” is not a marker{1}. A block starts with {2}.',
  '“{0}” and “{1}” are not markers{2}. A block starts with {3} and ends with {4}.',
  '{0} that cannot be read, so the call is not run: {1}{2}.',
]);
const isKnown = (text: string): boolean => known.has(text) || inParts.has(text);

test('every sentence of the engine that reaches a window has its Chinese', () => {
  const missing = texts
    .filter(({ file, text }) => isSentence(text) && !elsewhere.some(([files]) => files.test(file)))
    .filter(({ text }) => !toOthers.test(text) && !isKnown(text.trim()));
  expect(missing).toEqual([]);
});

/** Files with texts that have no end of their own: sentences of ours are filled with them. */
const clauseFiles =
  /^(registry\/(modules\/(describeModule|explainFault|moduleThread)|readMetadata)|base\/(cloneJson|readTextFile)|engine\/parser|features\/(devices\/session\/(listTools|readTool)|captures\/capture(Frame|Header)|chat\/(readChatFile|chatFile|chatFileWork)|realtime\/readDifferences)|audio\/(readWav|wavFormat)|protocols\/(diagnostics|vcp\/(\w*[dD]iagnostics|createVcpParser|dialects\/\w+)|json\/diagnostics))\.ts$/;
/** Names in them, and clauses whose whole sentence is worded at once, since it ends with what somebody else said. */
const noClauses = new Set([
  'export default',
  'the tool',
  'tool module',
  'method "{0}"',
  'the protocol "{0}", at parsing',
  ', so this call is not run',
  ' (and {0} more of its kind)',
  'This call is in {0}, so it is shown, not run.',
  'Take the call out of {0}',
  'This host runs the call although {0}.',
]);
const wordedWhole = /^(has a syntax error|threw an error while loading): /;

test('every clause that a sentence is filled with has its Chinese, all of it', () => {
  const clauses = texts.filter(
    ({ file, text }) =>
      clauseFiles.test(file) &&
      /[a-z]{2,} [a-z"]/.test(text) &&
      !noClauses.has(text) &&
      !inParts.has(text) &&
      !wordedWhole.test(text),
  );
  expect(clauses.length).toBeGreaterThan(60);
  const halves = clauses.flatMap(({ file, text }) => {
    const method = text.replace(/^\{0\} (has|is) /, 'method "m" $1 ').replaceAll(/\{\d+\}/g, '7');
    const said = file.endsWith('readDifferences.ts') ? `"x" ${method}.` : method;
    const chinese = word(said);
    return /\p{Script=Han}/u.test(chinese) && !/[a-z]{2,} [a-z]{2,}/.test(chinese.replaceAll(/`[^`]*`/g, ''))
      ? []
      : [`${file}: ${chinese}`];
  });
  expect(halves).toEqual([]);
});

/** Why a frame was not read, behind the session's “it is”. */
const unreadFrames = new Set([
  'it is not UTF-8 (byte {0} at position {1})',
  'it is not valid JSON from character {0}',
  'it is JSON, but not an object',
  'it is a JSON object without a "type"',
  'it is not read: {0} bytes, more than the {1} that are read',
]);

test('each Chinese text is of something that the engine says', () => {
  const written = texts.map(({ text }) => text).join('\n');
  const unused = Object.keys(engineTexts).filter((english) => {
    if (
      Object.hasOwn(validatorTexts, english) ||
      Object.hasOwn(causeTexts, english) ||
      Object.hasOwn(storedTexts, english)
    )
      return false;
    const own = unreadFrames.has(english) ? english.slice('it is '.length) : english;
    const parts = own.split(/\{\d+!?\}|[.?!,:;] /).map((part) => part.replaceAll(/^\W+|\W+$/g, ''));
    return !parts.every((part) => written.includes(part));
  });
  expect(unused).toEqual([]);
});

test('a translation names what the engine fills in, and nothing else', () => {
  const numbers = (text: string): string[] => [...text.matchAll(/\{(\d+)[!~、]?\}/g)].map(([, at]) => at ?? '');
  for (const [english, chinese] of Object.entries(engineTexts)) {
    expect(numbers(english), english).toEqual(expect.arrayContaining(numbers(chinese)));
    expect(chinese, english).toMatch(/\p{Script=Han}|true|null/u);
  }
});

test('the validator of the contract is worded, too', () => {
  const contract = z.object({
    port: z.int().min(1).max(65_535),
    mode: z.enum(['auto', 'manual']),
    name: z.string().min(1).max(3),
    list: z.array(z.string()).max(1),
    id: z.string().regex(/^a/),
  });
  const inputs = [
    { port: 0, mode: 'x', name: '', list: ['a', 'b'], id: 'b' },
    { port: 70_000, mode: 1, name: 'long', list: 1, id: 1 },
    {},
  ];
  const messages = inputs.flatMap((input) => contract.safeParse(input).error?.issues ?? []);
  const strict = z.strictObject({}).safeParse({ a: 1, b: 2 }).error?.issues ?? [];
  for (const { message } of [...messages, ...strict]) expect(word(message), message).toMatch(/\p{Script=Han}/u);
});

test.each([
  [
    'VCP cannot pass the parameter “城市”: a key may contain only letters A–Z, digits, “_” and “-”.',
    'VCP 无法传递参数“城市”：键只能由英文字母、数字、“_”和“-”组成。',
  ],
  ['The value is empty, not an integer.', '应为整数，实际为空。'],
  ['"many" is a string, not an integer or null. Use 5.', '应为整数或 null，实际为字符串“many”。可改用 5。'],
  [
    "Port 18000 on 0.0.0.0 is used by another program. Stop it, or choose another port (0 selects a free one). To find the program, run: ss -ltnp 'sport = :18000'",
    "0.0.0.0 上的端口 18000 已被其他程序占用。请结束该程序，或选择其他端口（0 表示自动选择空闲端口）。要查找该程序，请运行：ss -ltnp 'sport = :18000'",
  ],
  [
    'lab_set was not called. The arguments were not checked against the inputSchema: the checks of this turn take more than 5 s of processor time together. Send less, or simplify the inputSchema.',
    '没有调用 lab_set。未按 inputSchema 校验参数：此回合的各项检查合计所需处理器时间超过 5 秒。请减少参数，或简化 inputSchema。',
  ],
  [
    'The data was not checked against the outputSchema: the checks of this turn take more than 5 s of processor time together. Simplify the outputSchema, or return less.',
    '未按 outputSchema 校验数据：此回合的各项检查合计所需处理器时间超过 5 秒。请简化 outputSchema，或减少返回的数据。',
  ],
  [
    'Reading was stopped: too much other work is waiting. Give a shorter text, or try again later.',
    '已停止读取：等待处理的内容过多。请缩短文本，或稍后重试。',
  ],
  [
    'The server answered 401 Unauthorized: No key. Check the key in Settings → Models. It says to try again after 5 s.',
    '服务器返回了 401 Unauthorized：No key。请在“设置 → 模型”中检查密钥。服务器要求在 5 s 之后重试。',
  ],
  [
    '"Lamp" disconnected just now, and its tools with it. Its tools return when it reconnects.',
    '“Lamp”刚刚断开，其工具也随之断开。重新连接后，工具会恢复。',
  ],
  ['"二" is not a number.', '应为数字，实际为“二”。'],
  ['The user refused this call: not now', '你拒绝了这次调用，理由：not now'],
  [
    'The call was not run, because the user made no decision. The question was not answered within 60 s.',
    '没有得到你的决定，因此调用没有运行。询问在 60 秒内没有得到答复。',
  ],
  [
    'The parent folder "/x/y" does not exist. Create it first, or choose another place.',
    '上级文件夹“/x/y”不存在。请先创建，或填写其他位置。',
  ],
  ['The string has 1 character; the minimum is 3.', '至少需要 3 个字符，实际为 1 个。'],
  [
    'assertions.0.path: "$.a." is not a JSON path: at the end of the path: add a name or * after the dot. Write one such as $.items[0].name.',
    'assertions.0.path：“$.a.”不是有效的 JSON 路径：请在点号后写名称或 *（路径末尾）。示例：$.items[0].name。',
  ],
  [
    'The arguments are not valid JSON: line 1, column 15: the text ends before the JSON does; add }. Write an object, such as {"volume": 50}.',
    '参数不是有效的 JSON：第 1 行第 15 列：JSON 不完整，请补上 }。请写成对象，例如 {"volume": 50}。',
  ],
  [
    'The file is not valid JSON: line 2, column 12: a colon is expected here. Choose one that Toolwire exported.',
    '此文件不是有效的 JSON：第 2 行第 12 列：此处应为冒号。请选择由 Toolwire 导出的文件。',
  ],
  [
    'These are not settings of Toolwire, and nothing was changed. "settings.theme" must be one of "system", "light". "settings.devicePort" must be 0 or more. "settings" has an unknown field "hue".',
    '这不是 Toolwire 的设置，未进行任何更改。“settings.theme”必须是 "system", "light" 之一。“settings.devicePort”必须是 0 或更大。“settings”中有无法识别的字段“hue”。',
  ],
  ['This conversation has ended: It was closed here.', '此对话已结束：已在此关闭。'],
  ...[
    ['the address for devices was changed', '设备端口的地址已更改'],
    ['disconnected by the user', '由用户断开'],
    ['the device connected again', '设备已重新连接'],
    ['the device connected to the node "other"', '设备已连接到节点“other”'],
    ['it does not read: 70000 bytes wait for it', '设备没有读取数据：有 70000 字节等待发送'],
    ['it sends data without being approved', '设备未经批准就发送数据'],
    ['Toolwire is closing', 'Toolwire 正在关闭'],
  ].flatMap(([reason, chinese]): [string, string][] => [
    [`The connection to Lamp was closed here: ${reason}.`, `Toolwire 关闭了与 Lamp 的连接（${chinese}）。`],
    [
      `The connection to Lamp was closed here: ${reason}, 312 ms after request #3 (self.reboot), without an answer.`,
      `请求 #3（self.reboot）发出 312 ms 后，Toolwire 关闭了与 Lamp 的连接（${chinese}），未收到应答。`,
    ],
  ]),
  [
    'Some tools may be missing. "a.b" is listed twice; the first one is used. Tools are listed twice (15, such as "a.b"); the first one of each is used. An entry has no name. "c" has an inputSchema that is not an object. Page 2 was answered with the error “Out of memory. Restart”. Further problems: 3.',
    '可能缺少一些工具。“a.b”列出了两次，以第一次为准。有 15 个工具列出了两次，例如“a.b”，均以第一次为准。有一项没有名称。“c”的 inputSchema 不是对象。请求第 2 页时返回了错误“Out of memory. Restart”。另有 3 处问题。',
  ],
  [
    'No tool is registered for "clok_get". Did you mean "clock_get_date", "clock_get_time"?',
    '找不到“clok_get”对应的工具。是不是“clock_get_date”、“clock_get_time”？',
  ],
  ...[
    ['does not exist', '不存在'],
    ['cannot be read (EACCES)', '无法读取（EACCES）'],
    ['cannot be listed (EACCES)', '无法列出（EACCES）'],
    ['is a file, not a directory', '是文件，不是目录'],
    ['leads out of the root directory', '超出了根目录'],
  ].map(([english = '', chinese = '']): [string, string] => [`The path "src" ${english}.`, `路径“src”${chinese}。`]),
  ['The WAV file cannot be read: it contains no sound.', '无法读取 WAV 文件：其中没有声音。'],
])('%s', (english, chinese) => {
  expect(word(english)).toBe(chinese);
});

test('what a device, a model or a server said stays as it is, inside a sentence of ours, too', () => {
  expect(word('lamp answered with an error: The message is empty.')).toBe('lamp 返回了错误：The message is empty.');
  expect(word('Bulb is broken')).toBe('Bulb is broken');
  expect(word('')).toBe('');
  const unfit = 'The arguments do not fit f. "city" is missing. days: 9 is above the maximum, 7.';
  expect(word(unfit)).toBe('f 的参数不符合要求。 "city" is missing. 不能大于 7（实际为 days: 9）。');
  const long = `The user refused this call: ${'x'.repeat(5_000)}`;
  expect(word(long)).toBe(long);
});

test('what is wrong with a file of a collection is in Chinese, but for names and JSON', () => {
  const call = (fields: object): string => JSON.stringify({ name: 'a', tool: 'b', arguments: {}, ...fields });
  const assertion = (fields: object): string => call({ assertions: [fields] });
  const variables = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`v${at}`, at]));
  const files: [string, z.ZodType][] = [
    ['{"a" 1}', savedCallSchema],
    ['[]', savedCallSchema],
    [call({ arguments: 5 }), savedCallSchema],
    [call({ name: '' }), savedCallSchema],
    [call({ timeoutMs: 0.5 }), savedCallSchema],
    [call({ other: 1 }), savedCallSchema],
    [call({ extract: { 'a b': '$.x' } }), savedCallSchema],
    [call({ assertions: {} }), savedCallSchema],
    [assertion({ check: 'other' }), savedCallSchema],
    [assertion({ check: 'duration' }), savedCallSchema],
    [assertion({ check: 'schema', schema: 5 }), savedCallSchema],
    [assertion({ check: 'path', path: '$', op: 'equals', value: 7 }).replace(':7', ':1e999'), savedCallSchema],
    ['{"format":2,"name":"x"}', manifestSchema],
    [JSON.stringify({ format: 1, name: 'x', variables }), manifestSchema],
    ['{"variables":{"1a":1}}', environmentSchema],
  ];
  const problems = files.map(([text, schema]) => readText(text, schema).problem);
  expect(problems).not.toContain(undefined);
  const wording = problems.map((problem = '') => word(problem).replaceAll(/“[^”]*”|"[^"]*"/g, ''));
  const names = /\b(other|true|false|JSON|atMostMs|atMostTimesMedian|e308)\b/g;
  expect(
    wording.filter((text) => !/\p{Script=Han}/u.test(text) || /[a-z]{2,}/i.test(text.replaceAll(names, ''))),
  ).toEqual([]);
});

/** Fields, markers and JSON: what the Chinese of a diagnostic may have in Latin letters. */
const namesOfReplies =
  /<[^>]*>+|“[^”]*”|「[^」]*」|\b(VCP|JSON|ESCAPE|AIO Hub|Python|TOOL_REQUEST_\w+|_EXP|_ESCAPE|tool_name|lamp_set|key|value|unknown_tool|True|true|no_reply|name|arguments)\b|\bcommand\d|\\n/g;

test('all diagnostics of replies are in Chinese, with their fixes, but for names and values', () => {
  const [start, end] = ['<<<[TOOL_REQUEST]>>>', '<<<[END_TOOL_REQUEST]>>>'];
  const call = `${start}\ntool_name:「始」lamp_set「末」\nvalue:「始」1「末」\n${end}`;
  // One mistake each: every short stretch of a call is left out, doubled, or in another width or case.
  const mistakes = Array.from({ length: call.length }, (_, at) => [
    call.slice(0, at),
    call.slice(0, at) + call.slice(at + 1),
    call.slice(0, at) + call.slice(at + 4),
    call.slice(0, at + 30) + call.slice(at),
    call.slice(0, at) +
      call
        .slice(at, at + 5)
        .toUpperCase()
        .replace(':', '：')
        .replace('「', '『') +
      call.slice(at + 5),
  ]).flat();
  const json = '<tool_call>{"name": "lamp_set", "arguments": {"value": 1}}</tool_call>';
  const jsonMistakes = Array.from({ length: json.length }, (_, at) => json.slice(0, at) + json.slice(at + 1));
  const places = [
    `\`\`\`\n${call}`,
    `\`${call}\``,
    `<think>${call}`,
    `${call}\n${call}`,
    call.replaceAll('TOOL_REQUEST', 'TOOL_REQUEST_EXP'),
  ];
  const replies = [...edgeCases.map(({ text }) => text), ...mistakes, ...jsonMistakes, ...places];
  const said = new Set<string>();
  for (const dialect of ['auto', 'standard', 'vcptoolbox', 'vcptoolbox-fuzzy', 'aiohub', 'json'] as const)
    for (const reply of replies)
      for (const { message, fix } of readReply(reply, { dialect }).diagnostics) {
        said.add(message);
        if (fix !== undefined) said.add(fix.title);
      }
  expect(said.size).toBeGreaterThan(50);
  const english = [...said].filter((text) => {
    const chinese = word(text);
    return (
      !/\p{Script=Han}/u.test(chinese.replaceAll(/“[^”]*”/g, '')) ||
      /[A-Za-z]{2,}/.test(chinese.replaceAll(namesOfReplies, ''))
    );
  });
  expect(english.map((text) => `${text} → ${word(text)}`)).toEqual([]);
});

test('the causes of a block that is not run are kept', () => {
  const why = (body: string): string[] =>
    readReply(`<<<[TOOL_REQUEST]>>>\n${body}\n<<<[END_TOOL_REQUEST]>>>`, { dialect: 'standard' }).diagnostics.map(
      ({ message }) => word(message),
    );
  expect(why('Tool_Name:「始」lamp_set「末」')).toEqual([
    '此块没有 tool_name，因此不会运行。“Tool_Name”不是 tool_name：键区分大小写。',
  ]);
  expect(why('tool_name:「始」「末」')).toEqual(['tool_name 为空，因此不会运行此块。请填写已注册的工具名。']);
  const serial = Array.from({ length: 101 }, (_, at) => `command${at + 1}:「始」x「末」`).join('\n');
  expect(why(`tool_name:「始」a「末」\n${serial}`)).toEqual([
    '此块中的编号调用超过 100 个，因此全部不会运行。请拆成几个块。',
  ]);
});

test('prose of others is not taken for a sentence of ours', () => {
  for (const said of [
    'The bulb is not warm.',
    'This lamp is text, not art.',
    'Water or ice',
    'invalid character',
    'I have one; the minimum is 3.',
    'It is cold. Use gloves.',
    'The lamp is not warm or red.',
  ])
    expect(word(said)).toBe(said);
  expect(word('5 is not a string.')).toBe('应为字符串，实际为 5。');
  expect(word('5 is not a string or null.')).toBe('应为字符串或 null，实际为 5。');
});

test('an unclosed block of a reply is worded whole', () => {
  const english =
    'This block has no <<<[END_TOOL_REQUEST]>>> before the next one starts or the text ends: it is not run.';
  expect(word(english)).toBe('此块在下一个块开始前（或文本结束前）没有 <<<[END_TOOL_REQUEST]>>>，因此不会运行。');
  expect(word('<<<[TOOL_REQUEST]>>> has neither fields nor an end: nothing is run.')).toBe(
    '<<<[TOOL_REQUEST]>>> 没有字段，也没有结束标记：没有可运行的内容。',
  );
});
