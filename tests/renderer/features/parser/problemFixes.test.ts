/** The fixes of names and fields, and their preview. */
import { expect, it } from 'vitest';

import { applyEdits } from '../../../../renderer/features/parser/applyEdits.ts';
import { previewFix } from '../../../../renderer/features/parser/previewFix.ts';
import { problemsOf } from '../../../../renderer/features/parser/problemsOf.ts';
import type { VcpProblem } from '../../../../renderer/ui/editor/vcp/vcpContext.ts';
import type { JsonSchema, ReplyDialect, ReplyRequest } from '../../../../src-core/contract/types.ts';
import { convertArguments } from '../../../../src-core/schema/convertArguments.ts';
import { readReply } from '../../../../src-core/protocols/readReply.ts';

const nearest = 'say_"hi"\\';

/** The text with the fix of its only problem, for a call whose name is not registered. */
function fixed(text: string, dialect: ReplyDialect): string {
  const read = readReply(text, { dialect });
  const [request] = read.requests;
  const { toolName, requestId } = request!;
  const error = { code: 'unknown-tool' as const, message: 'Unknown tool.', candidates: [nearest] };
  const call = {
    request: 0,
    requestId,
    toolName,
    arguments: [],
    argsJson: '{}',
    resolution: { ok: false as const, error },
  };
  const [problem, ...others] = problemsOf({ ...read, calls: [call], text });
  expect(others).toEqual([]);
  return problem?.fix === undefined ? text : applyEdits(text, problem.fix.edits);
}

it.each([
  ['alone', '{"name":"say_hi","arguments":{"x":1}}'],
  ['in tags', '<tool_call>{"name":"say_hi","arguments":{"tool_name":"mine"}}</tool_call>'],
  ['in a message', '{"tool_calls":[{"function":{"name":"say_hi","arguments":"{}"}}]}'],
])('a name is written as JSON into a JSON call, and an argument called tool_name stays: %s', (_, text) => {
  const after = fixed(text, 'json');
  const [before, made] = [text, after].map((each) => readReply(each, { dialect: 'json' }).requests[0]!);
  expect(made!.toolName).toBe(nearest);
  expect(made!.args).toEqual(before!.args);
});

it('a name is written as it is into a VCP block', () => {
  const text = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」say_hi「末」\n<<<[END_TOOL_REQUEST]>>>';
  expect(fixed(text, 'standard')).toBe(text.replace('say_hi', nearest));
});

it.each([
  ['Now', ['weather_now', 'weather_later'], 'now'],
  ['nwo', ['weather_now'], 'now'],
  ['delete_all', ['weather_now'], undefined],
  ['Now', ['other_now'], undefined],
])('the command %s is corrected to a similar method of its tool among %j', (command, candidates, method) => {
  const text = `<<<[TOOL_REQUEST]>>>\ntool_name:「始」weather「末」,\ncommand:「始」${command}「末」\n<<<[END_TOOL_REQUEST]>>>`;
  const read = readReply(text, { dialect: 'standard' });
  const { toolName, requestId } = read.requests[0]!;
  const error = { code: 'unknown-method' as const, message: 'Unknown.', candidates };
  const resolution = { ok: false as const, error };
  const call = { request: 0, requestId, toolName, command, arguments: [], argsJson: '{}', resolution };
  const { start, end, fix } = problemsOf({ ...read, calls: [call], text })[0]!;
  expect(text.slice(start, end)).toBe(command);
  expect(fix && applyEdits(text, fix.edits)).toBe(method && text.replace(command, method));
  expect(fix?.title).toBe(method && `Use “${method}”`);
});

it.each([
  ['tool_name：', 'Replace “：” (full-width) with “:”'],
  ['**tool_name**:', 'Replace “**tool_name**” with “tool_name”'],
])('the fix of a malformed field names the change: %s', (head, title) => {
  const text = `<<<[TOOL_REQUEST]>>>\n${head}「始」a「末」\n<<<[END_TOOL_REQUEST]>>>`;
  const [problem] = problemsOf({ ...readReply(text, { dialect: 'standard' }), calls: [], text });
  expect(problem!.fix!.title).toBe(title);
});

it('an unknown argument is removed with its line, and all of them are of one kind', () => {
  const start = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_time「末」,\n';
  const text = `${start}a:「始」1「末」,\nb:「始」2\n3「末」\n<<<[END_TOOL_REQUEST]>>>`;
  const read = readReply(text, { dialect: 'standard' });
  const { toolName, requestId } = read.requests[0]!;
  const resolution = {
    ok: true as const,
    toolId: 'clock',
    toolName: 'Clock',
    source: { kind: 'builtin' as const, id: 'clock', label: 'Clock' },
    methodName: 'get_time',
    qualifiedName: 'clock_get_time',
    agentCallable: true,
  };
  const rows = ['a', 'b'].map((name) => ({ name, type: '', verdict: 'unknown' as const }));
  const call = { request: 0, requestId, toolName, arguments: rows, argsJson: '{}', resolution };
  const problems = problemsOf({ ...read, calls: [call], text });
  expect(problems.map(({ why }) => why)).toEqual(['“a”', '“b”']);
  expect(new Set(problems.map(({ title }) => title)).size).toBe(1);
  const edits = problems.flatMap(({ fix }) => fix?.edits ?? []);
  expect(applyEdits(text, edits)).toBe(`${start}<<<[END_TOOL_REQUEST]>>>`);
});

it.each([
  ['clok_get_time', ['clock_get_time'], true],
  ['get_time', ['clock_get_time'], true],
  ['clock', ['clock_get_time'], true],
  ['clock', ['clock_get_time', 'clock_get_date'], false],
  ['weather_get_time', ['clock_get_time'], false],
  ['weather', ['lamp_off'], false],
])('a name is replaced only by a similar one: %s by %j', (name, candidates, isFixed) => {
  const text = `<<<[TOOL_REQUEST]>>>\ntool_name:「始」${name}「末」\n<<<[END_TOOL_REQUEST]>>>`;
  const read = readReply(text, { dialect: 'standard' });
  const error = { code: 'unknown-tool' as const, message: 'Unknown tool.', candidates };
  const resolution = { ok: false as const, error };
  const call = { request: 0, requestId: 'a', toolName: name, arguments: [], argsJson: '{}', resolution };
  const [problem] = problemsOf({ ...read, calls: [call], text });
  expect(problem!.fix !== undefined).toBe(isFixed);
});

const lamp = {
  ok: true as const,
  toolId: 'lamp',
  toolName: 'Lamp',
  source: { kind: 'builtin' as const, id: 'lamp', label: 'Lamp' },
  methodName: 'set',
  qualifiedName: 'lamp_set',
  agentCallable: true,
};

/** The problems of a call of lamp_set with this schema, as the engine checks it. */
function lampProblems(text: string, inputSchema: JsonSchema, dialect: ReplyDialect = 'standard'): VcpProblem[] {
  const read = readReply(text, { dialect });
  const [{ toolName, requestId, args: texts, rawArgs }] = read.requests as [ReplyRequest];
  const isJson = dialect === 'json';
  const args = isJson ? Object.fromEntries(Object.entries(rawArgs).map(([k, v]) => [k, JSON.parse(v)])) : texts;
  const source = isJson ? 'json' : 'text';
  const converted = convertArguments({ args, inputSchema, source });
  const call = {
    request: 0,
    requestId,
    toolName,
    resolution: lamp,
    issues: converted.issues,
    argsJson: JSON.stringify(converted.args),
    arguments: converted.conversions.map(({ parameter, status, raw }) => ({
      name: parameter,
      type: '',
      verdict: status,
      ...(raw !== undefined && { raw: JSON.stringify(raw) }),
    })),
  };
  const tools = { byId: new Map(), find: () => ({ method: { inputSchema } }) };
  return problemsOf({ ...read, calls: [call], text }, tools);
}

const vcp = (...fields: string[]): string =>
  ['<<<[TOOL_REQUEST]>>>', 'tool_name:「始」lamp_set「末」', ...fields, '<<<[END_TOOL_REQUEST]>>>'].join('\n');
const integer = { type: 'integer', maximum: 100 };

it.each([
  ['in an open schema', 'warning', undefined],
  ['in a closed one', 'error', false],
] as const)('an unknown argument that is nearly a parameter is renamed %s', (_, severity, additionalProperties) => {
  const text = vcp('brightnes:「始」5「末」');
  const schema = {
    properties: { brightness: integer },
    ...(additionalProperties === false && { additionalProperties }),
  };
  const [problem, ...others] = lampProblems(text, schema);
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ severity, title: 'Unknown argument', why: '“brightnes”' });
  // Its name is marked, not its value.
  expect(text.slice(problem!.start, problem!.end)).toBe('brightnes');
  expect(problem!.fix?.title).toBe('Rename to “brightness”');
  expect(applyEdits(text, problem!.fix!.edits)).toBe(text.replace('brightnes', 'brightness'));
});

it('of two unknown arguments that are nearly the same parameter, only one is renamed', () => {
  const edits = lampProblems(vcp('brightnes:「始」5「末」', 'brightnss:「始」6「末」'), {
    properties: { brightness: integer },
  }).flatMap(({ fix }) => fix?.edits ?? []);
  expect(edits.map(({ newText }) => newText)).toEqual(['brightness']);
});

const position = {
  type: 'object',
  properties: { lat: { type: 'number', maximum: 90 }, lon: { type: 'number' } },
  required: ['lat', 'lon'],
  additionalProperties: false,
};

it('all problems in an argument are listed with their paths, each with one fix at its place', () => {
  const text = vcp('pos:「始」{"lat": "39.9", "lno": 116}「末」');
  const problems = lampProblems(text, { properties: { pos: position } });
  expect(problems.map(({ start, end, title, fix }) => [text.slice(start, end), title, fix?.title])).toEqual([
    ['{"lat": "39.9", "lno": 116}', 'Argument “pos.lon” is missing', undefined],
    ['"39.9"', 'Argument “pos.lat” is invalid', 'Use 39.9'],
    ['"lno"', 'Unknown argument', 'Rename to “lon”'],
  ]);
  expect(problems.map(({ argument }) => argument)).toEqual([
    { name: 'pos', place: 'pos.lon', words: 'Required.' },
    { name: 'pos', place: 'pos.lat', words: '"39.9" is a string, not a number.' },
    { name: 'pos', place: 'pos.lno', words: 'Unknown argument “lno”.' },
  ]);
  const edits = problems.flatMap(({ fix }) => fix?.edits ?? []);
  expect(applyEdits(text, edits)).toContain('{"lat": 39.9, "lon": 116}');
});

it('the value of a JSON call is replaced with its quotes', () => {
  const text = '{"name":"lamp_set","arguments":{"level":"3","pos":{"lat":91,"lon":1,"x":2}}}';
  const schema = { properties: { level: integer, pos: position } };
  const edits = lampProblems(text, schema, 'json').flatMap(({ fix }) => fix?.edits ?? []);
  expect(edits).toHaveLength(3);
  expect(applyEdits(text, edits.slice(0, 2))).toContain('{"level":3,"pos":{"lat":90,"lon":1,"x":2}}');
  expect(applyEdits(text, edits.slice(2))).toContain('"pos":{"lat":91,"lon":1}');
});

it('COMMAND is said not to be command, and is written as it', () => {
  const text = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」lamp「末」\nCOMMAND:「始」set「末」\n<<<[END_TOOL_REQUEST]>>>';
  const read = readReply(text, { dialect: 'standard' });
  const { toolName, requestId } = read.requests[0]!;
  const message = '"lamp" names a tool but none of its methods.';
  const error = { code: 'invalid-name' as const, message, details: { toolId: 'lamp' } };
  const call = {
    request: 0,
    requestId,
    toolName,
    arguments: [],
    argsJson: '{}',
    resolution: { ok: false as const, error },
  };
  const [problem] = problemsOf({ ...read, calls: [call], text });
  expect([problem!.title, problem!.why]).toEqual([
    'No method named',
    '“COMMAND” is not “command”: keys are case-sensitive.',
  ]);
  expect(applyEdits(text, problem!.fix!.edits)).toBe(text.replace('COMMAND', 'command'));
});

it.each<[value: string, schema: JsonSchema, why: string, next: string, title: string]>([
  ['150', integer, '150 is above the maximum, 100.', '100', 'Use 100'],
  ['colour', { enum: ['color', 'white'] }, '"colour" is not one of "color", "white".', 'color', 'Use "color"'],
  ['２', integer, '"２" is a string, not an integer.', '2', 'Replace “２” (full-width) with “2”'],
  ['９９９', integer, '"９９９" is a string, not an integer.', '999', 'Replace “９９９” (full-width) with “999”'],
])('a value that does not fit is replaced by one that does: %s', (value, schema, why, next, title) => {
  const text = vcp(`x:「始」${value}「末」`);
  const [problem] = lampProblems(text, { properties: { x: schema } });
  expect([problem!.why, problem!.fix!.title]).toEqual([why, title]);
  expect(applyEdits(text, problem!.fix!.edits)).toBe(text.replace(`「始」${value}`, `「始」${next}`));
});

it('an unknown method of a serial block is marked at its own command', () => {
  const text =
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」dice「末」\ncommand1:「始」roll「末」\ncommand2:「始」rol「末」\n<<<[END_TOOL_REQUEST]>>>';
  const read = readReply(text, { dialect: 'standard' });
  const error = { code: 'unknown-method' as const, message: 'Unknown.' };
  const resolution = { ok: false as const, error };
  const call = {
    request: 0,
    requestId: 'a',
    toolName: 'dice',
    command: 'rol',
    arguments: [],
    argsJson: '{}',
    resolution,
  };
  const [problem] = problemsOf({ ...read, calls: [call], text });
  expect(text.slice(0, problem!.start)).toBe(text.slice(0, text.indexOf('「始」rol「') + 3));
});

it('marks the characters that differ in lines that correspond', () => {
  const parts = (text: string, edit: { start: number; end: number; newText: string }) =>
    previewFix(text, [edit], 9).map(({ text: line, changed: [from, to] = [0, 0] }) => line.slice(from, to));
  expect(parts('key：「始」', { start: 3, end: 4, newText: ':' })).toEqual(['：', ':']);
  expect(parts('a', { start: 1, end: 1, newText: 'b' })).toEqual(['', 'b']);
  expect(parts('a', { start: 1, end: 1, newText: '\nb' })).toEqual(['']);
  const long = 'x'.repeat(300);
  expect(parts(long, { start: 250, end: 251, newText: 'y' })).toEqual(['x', 'y']);
  // A long line begins shortly before its change.
  const shown = previewFix(long, [{ start: 250, end: 251, newText: 'y' }], 9).map(({ text }) => text);
  expect(shown).toEqual(['x', 'y'].map((changed) => `…${'x'.repeat(24)}${changed}${'x'.repeat(49)}`));
});
