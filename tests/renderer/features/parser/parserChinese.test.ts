/** What the Parser says of a call, in Chinese. */
import { describe, expect, it } from 'vitest';

import { createWording } from '../../../../renderer/i18n/engine/createWording.ts';
import { engineTexts } from '../../../../renderer/i18n/engine/zh/index.ts';
import { prepareCall } from '../../../../src-core/engine/prepareCall.ts';
import { cancelledError } from '../../../../src-core/engine/toFailure.ts';
import { readReply } from '../../../../src-core/protocols/readReply.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { problemText } from '../../../../src-core/registry/modules/problemText.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';

const word = createWording(engineTexts);

describe('the cause of a field that cannot be read, in Chinese', () => {
  it.each([
    ['tool_name：「始」a_b「末」', '全角'],
    ['参数:「始」1「末」', '“参数”不能作键'],
    ['**x**:「始」1「末」', '“**x**”不能作键'],
    ['x\u200by:「始」1「末」', 'U+200B'],
    ['x:『始』1『末』', '起止标记'],
    [':「始」1「末」', '没有键'],
  ])('%s', (field, cause) => {
    const [diagnostic] = parseVcp(`<<<[TOOL_REQUEST]>>>\n${field}\n<<<[END_TOOL_REQUEST]>>>`).diagnostics;
    expect(diagnostic?.code).toBe('malformed-field');
    expect(word(diagnostic!.message)).toContain(cause);
    expect(word(diagnostic!.message)).toContain('此字段无法读取');
  });
});

describe('the cause of JSON that cannot be read, in Chinese', () => {
  it.each([
    ['{"name":"a_b","arguments":{"x":}}', '此处缺少值'],
    ['{"name":"a_b","arguments":{x:1}}', '键没有加引号'],
    ['{"name":"a_b","arguments":{"x":True}}', '“True”在 JSON 中应写成 true'],
    ['{"name":"a_b","arguments":{"x":yes}}', '“yes”不是 JSON 的值'],
    ['{"name":"a_b","arguments":{"x":1,}}', '“}”前面多了一个逗号'],
    ['{"name":"a_b"，"arguments":{"x":1}}', '逗号是全角的'],
    ['{"name":"a_b","arguments"：{"x":1}}', '冒号是全角的'],
    ['{"name":"a_b" "arguments":{"x":1}}', '缺少逗号'],
    ["{'name':'a_b','arguments':{}}", '引号不是半角双引号'],
    ['{"name":"a_b","arguments":{"x":"1\n2"}}', '字符串中有换行'],
    ['{"name":"a_b","arguments":{"x":"\\q"}}', '反斜杠后面不是 JSON 的转义'],
    ['{"name":"a_b","arguments":{"x":"\\\'"}}', "\\' 不是 JSON 的转义"],
    ['{"name":"a_b","arguments":{"x":1}', 'JSON 不完整，请补上 }'],
    ['{"name":"a_b","arguments":{"x":1}} and', '后面还有文字'],
    ['{"name":"a_b","arguments":{"x":01a}}', '不是有效的 JSON 数字'],
  ])('%s', (json, cause) => {
    const reading = readReply(`<tool_call>${json}</tool_call>`, { dialect: 'json' });
    const broken = reading.diagnostics.find(({ code }) => code === 'broken-json');
    expect(word(broken!.message)).toContain(cause);
    expect(word(broken!.message)).toMatch(/。此调用的 JSON 无法读取，因此不会运行。$/);
    expect(word(broken!.message)).not.toMatch(/[a-z]{2,} [a-z]{2,}/);
  });
});

describe('a misspelt marker, in Chinese', () => {
  const field = 'tool_name:「始」a_b「末」';
  it.each([
    [
      `[TOOL_REQUEST]\n${field}\n<<<[END_TOOL_REQUEST]>>>`,
      '“[TOOL_REQUEST]”不是标记，此调用不会运行。块应以 <<<[TOOL_REQUEST]>>> 开头。',
    ],
    [
      `TOOL_REQUEST\n${field}\n【END_TOOL_REQUEST】`,
      '“TOOL_REQUEST”和“【END_TOOL_REQUEST】”不是标记，此调用不会运行。块应以 <<<[TOOL_REQUEST]>>> 开头，以 <<<[END_TOOL_REQUEST]>>> 结尾。',
    ],
    ['<<[TOOL_REQUEST]>>', '“<<[TOOL_REQUEST]>>”不是标记。块应以 <<<[TOOL_REQUEST]>>> 开头。'],
    [
      `[TOOL_REQUEST]\n${field}\n[END_TOOL_REQUEST]`,
      '“[TOOL_REQUEST]”和“[END_TOOL_REQUEST]”不是标记，此调用不会运行。块应以 <<<[TOOL_REQUEST]>>> 开头，以 <<<[END_TOOL_REQUEST]>>> 结尾。',
    ],
    [
      '<<[TOOL_REQUEST]>>\n<<[END_TOOL_REQUEST]>>',
      '“<<[TOOL_REQUEST]>>”和“<<[END_TOOL_REQUEST]>>”不是标记。块应以 <<<[TOOL_REQUEST]>>> 开头，以 <<<[END_TOOL_REQUEST]>>> 结尾。',
    ],
    [
      `<<<[TOOL_REQUEST]>>>\n${field}\n[END_TOOL_REQUEST]`,
      '“[END_TOOL_REQUEST]”不是标记，此块因此没有结尾，不会运行。块应以 <<<[END_TOOL_REQUEST]>>> 结尾。',
    ],
    [
      `<<<[TOOL_REQUEST]>>>\n${field}\n[END_TOOL_REQUEST]\nx:「始」1「末」\n<<<[END_TOOL_REQUEST]>>>`,
      '“[END_TOOL_REQUEST]”不是标记，因此它前后的字段属于同一次调用。',
    ],
  ])('%j', (text, words) => {
    const [diagnostic] = parseVcp(text).diagnostics;
    expect(diagnostic?.code).toBe('misspelt-marker');
    expect(word(diagnostic!.message)).toBe(words);
  });
});

it.each([
  ['The call was cancelled.', false, '调用已取消。调用未运行。'],
  ['"lamp_set" was cancelled.', true, '"lamp_set" 已取消。调用已开始运行，可能已经生效。'],
])('a cancelled call, in Chinese: %s', (why, mayHaveRun, words) => {
  expect(word(cancelledError(why, { mayHaveRun }).message)).toBe(words);
});

describe('a tool that is not registered, in Chinese', () => {
  it.each([
    [{ toolName: 't', command: 'c' }, '找不到“t”（命令“c”）对应的工具。'],
    [{ toolName: 't_c' }, '找不到“t_c”对应的工具。'],
  ])('%o', (name, words) => {
    const toolRegistryManager = createToolRegistryManager();
    toolRegistryManager.register(
      defineToolRegistry({
        id: 'far',
        name: 'Far',
        source: { kind: 'builtin', id: 'far', label: 'Far' },
        methods: [{ name: 'x', description: 'X', agentCallable: true, inputSchema: {}, handler: () => '' }],
      }),
    );
    const { error } = prepareCall({ toolRegistryManager, request: { requestId: '1', args: {}, ...name } });
    expect(word(error!.message.replace(/ Did you mean .*/, ''))).toBe(words);
  });
});

describe('names that are listed in a sentence, in Chinese', () => {
  const registry = (id: string, name: string, methods: string[]) =>
    defineToolRegistry({
      id,
      name,
      source: { kind: 'builtin', id, label: name },
      methods: methods.map((method) => ({
        name: method,
        description: method,
        agentCallable: true,
        inputSchema: {},
        handler: () => '',
      })),
    });
  it.each([
    [{ toolName: 'clock' }, '“clock_get_date”、“clock_get_time”'],
    [{ toolName: 'clock_get_tine' }, '是不是“clock_get_time”？'],
    [{ toolName: 'get_date' }, '“get_date”是方法，但没有指明工具。'],
    [{ toolName: 'a_b_c' }, '工具“a”的方法“b_c”、工具“a_b”的方法“c”'],
  ])('%o', (name, names) => {
    const toolRegistryManager = createToolRegistryManager();
    toolRegistryManager.register(registry('clock', 'Clock', ['get_date', 'get_time']));
    toolRegistryManager.register(registry('a', 'A', ['b_c']));
    toolRegistryManager.register(registry('a_b', 'AB', ['c']));
    const { error } = prepareCall({ toolRegistryManager, request: { requestId: '1', args: {}, ...name } });
    expect(word(error!.message)).toContain(names);
    expect(word(error!.message)).not.toMatch(/", "|with method/);
  });

  it('leaves a message of a device as it is', () => {
    expect(word('Options: "a", "b"')).toBe('Options: "a", "b"');
  });
});

it('words the cause of a faulty schema, whose sentence has lost its full stop', () => {
  const cause = '#/properties/x/type: "type" has an invalid value and is not checked';
  const text = `m.js:1 method "b" has a faulty inputSchema: ${cause}. Correct it. It is loaded again when the file is saved.`;
  expect(word(text)).not.toMatch(/has an invalid|not checked/);
});

it('words the fault of a module whose file name has a space', () => {
  const problem = { message: 'has no methods', fix: 'Write `export default { methods: { … } }`.', line: 1 };
  expect(word(problemText(problem, '中文 名.js'))).toBe(
    '中文\u00a0名.js:1 没有方法。请写成 `export default { methods: { … } }`。保存文件后会重新加载。',
  );
});
