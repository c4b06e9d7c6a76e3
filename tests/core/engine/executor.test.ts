import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../src-core/base/errors.ts';
import { makeTool } from '../registry/testTool.ts';
import { outputTool, request, setUp } from './execution.ts';

const volume = { properties: { volume: { type: 'integer', maximum: 100 } }, required: ['volume'] };

describe('a call that succeeds', () => {
  test('receives converted arguments and returns its result', async () => {
    const seen: unknown[] = [];
    const lab = setUp([{ name: 'set', inputSchema: volume, handler: (args) => (seen.push({ ...args }), 'done') }]);
    const result = await lab.execute(request('lab_set', { volume: '50' }));
    expect(seen).toEqual([{ volume: 50 }]);
    expect(result).toEqual({
      requestId: 'r1',
      toolName: 'lab_set',
      status: 'success',
      result: 'done',
      durationMs: expect.any(Number),
    });
  });

  test('by hand: JSON arguments, the two-field form, and an own id', async () => {
    const lab = setUp([{ name: 'set', inputSchema: volume, handler: (args) => args }]);
    const result = await lab.execute({ toolName: 'lab', command: 'set', args: { volume: 7 } });
    expect(result).toMatchObject({ requestId: 'c1', toolName: 'lab_set', status: 'success', result: '{"volume":7}' });
    const wrong = await lab.execute({ toolName: 'lab', command: 'set', args: { volume: '7' } });
    expect(wrong.error).toMatchObject({ code: 'invalid-arguments', issues: [{ remedy: 7 }] });
  });

  test('`command` is an argument if the name is complete', async () => {
    const schema = { properties: { command: { type: 'string' } }, required: ['command'] };
    const lab = setUp([{ name: 'run', inputSchema: schema, handler: ({ command }) => command }]);
    expect(await lab.execute({ ...request('lab_run'), command: 'ls -l' })).toMatchObject({ result: 'ls -l' });
  });

  test('the method gets its id, its time and a signal', async () => {
    const seen: unknown[] = [];
    const lab = setUp([
      { name: 'get', handler: (_, { callId, timeoutMs, signal }) => seen.push(callId, timeoutMs, signal.aborted) },
    ]);
    await lab.execute(request('lab_get'), { config: { timeout: 1234 } });
    await lab.execute(request('lab_get'), { config: { timeout: -5 } });
    expect(seen).toEqual(['c1', 1234, false, 'c2', 30_000, false]);
  });

  test('its own limit comes before the one of all, by its qualified name only', async () => {
    const lab = setUp([{ name: 'get' }, { name: 'set' }]);
    const limits = { config: { timeout: 1234 }, toolTimeouts: { lab_get: 99, set: 5, lab_set: -1 } };
    await lab.execute(request('lab_get'), limits);
    await lab.execute(request('lab_set'), limits);
    await lab.execute(request('lab_toString'), limits);
    await lab.execute(request('lab_get'), { toolTimeouts: Object.create({ lab_get: 7 }) });
    expect(lab.ended.map(({ timeoutMs }) => timeoutMs)).toEqual([99, 30_000, 1234, 30_000]);
  });

  test('a success that says itself that it failed is flagged, and stays a success', async () => {
    const lab = setUp([{ name: 'get', handler: () => ({ success: false }) }]);
    expect(await lab.execute(request('lab_get'))).toMatchObject({
      status: 'success',
      result: '{"success":false}',
      softFailure: { member: 'success', value: 'false' },
    });
  });

  test('content blocks are kept', async () => {
    const content = [{ type: 'text', text: 'hello' }];
    const lab = setUp(
      [],
      outputTool('blocks', () => ({ value: undefined, content })),
    );
    expect(await lab.execute(request('blocks_get'))).toMatchObject({ status: 'success', result: 'hello', content });
  });
});

describe('the branches of the flowchart that end in an error', () => {
  const methods = [
    { name: 'get' },
    { name: 'set', inputSchema: volume },
    { name: 'hidden', agentCallable: false },
    {
      name: 'broken',
      handler: () => {
        throw new Error('fuse blown');
      },
    },
  ];

  test.each([
    ['', 'invalid-name', 'No tool is named. Write toolId_methodName, or the tool id and a command.'],
    ['lab', 'invalid-name', '"lab" names a tool but none of its methods.'],
    ['nothing_get', 'unknown-tool', 'No tool is registered for "nothing_get".'],
    ['lab_gett', 'unknown-method', 'The tool "lab" has no method "gett". Did you mean "lab_get"'],
    ['lab_hidden', 'not-agent-callable', '"lab_hidden" may be called by the user only.'],
    ['lab_set', 'invalid-arguments', 'The arguments do not fit lab_set. "volume" is required'],
    ['lab_broken', 'tool-error', 'fuse blown'],
  ])('%j is %s', async (toolName, code, message) => {
    const lab = setUp(methods);
    const result = await lab.execute(request(toolName));
    expect(result).toMatchObject({ requestId: 'r1', toolName, status: 'error', error: { code } });
    expect(result.result).toContain(message);
    expect(result.error?.message).toBe(result.result);
    // The window says where such a method can be offered.
    if (code === 'not-agent-callable') expect(result.error?.details).toEqual({ kind: 'builtin' });
  });

  test('an ambiguous name lists the methods', async () => {
    const lab = setUp([
      { name: 'a_b' },
      { name: 'x', protocolConfig: { vcpCommand: 'go' } },
      { name: 'y', protocolConfig: { vcpCommand: 'go' } },
    ]);
    const result = await lab.execute({ ...request('lab'), command: 'go' });
    expect(result.error).toMatchObject({ code: 'ambiguous-name', candidates: ['lab_x', 'lab_y'] });
  });

  test('a tool that is switched off is refused: by its toggle, or because it has none', async () => {
    const lab = setUp(methods);
    const run = async (config: object) => (await lab.execute(request('lab_get'), { config })).error?.code;
    expect(await run({ toolToggles: { lab: false } })).toBe('tool-disabled');
    expect(await run({ defaultToolEnabled: false })).toBe('tool-disabled');
    expect(await run({ defaultToolEnabled: false, toolToggles: { lab: true } })).toBeUndefined();
  });

  test('only calls by hand ignore toggles and `agentCallable`', async () => {
    const lab = setUp(methods);
    const config = { defaultToolEnabled: false };
    expect(await lab.execute(request('lab_hidden'), { config, caller: 'user' })).toMatchObject({ status: 'success' });
    for (const caller of ['model', 'gateway', 'mcp'] as const) {
      expect(await lab.execute(request('lab_hidden'), { config, caller })).toMatchObject({
        error: { code: 'tool-disabled' },
      });
      expect(await lab.execute(request('lab_hidden'), { caller })).toMatchObject({
        error: { code: 'not-agent-callable' },
      });
    }
  });

  test.each(['user', 'model'] as const)(
    'a method with a mistake is refused for caller %s, and never runs',
    async (caller) => {
      const mistake = 'The tool has no function "bad".';
      const kit = makeTool('kit', [{ name: 'bad' }]);
      const ran: string[] = [];
      const lab = setUp([], {
        ...kit,
        getMetadata: () => ({ methods: kit.getMetadata().methods.map((method) => ({ ...method, error: mistake })) }),
        invoke: async (name) => (ran.push(name), { value: '' }),
      });
      expect(await lab.execute(request('kit_bad'), { caller })).toMatchObject({
        status: 'error',
        durationMs: 0,
        error: { code: 'unusable-method', message: mistake },
      });
      expect([ran, lab.started]).toEqual([[], []]);
    },
  );

  test('what is refused never runs and takes no time', async () => {
    const lab = setUp(methods);
    expect(await lab.execute(request('lab_hidden'))).toMatchObject({ durationMs: 0 });
    expect(lab.started).toEqual([]);
  });

  test('an invalid request is an error', async () => {
    const lab = setUp(methods);
    for (const odd of [
      { toolName: 5, args: {} },
      { toolName: 'lab_get', args: null },
    ]) {
      expect(await lab.execute(odd as never)).toMatchObject({ status: 'error', error: { code: 'invalid-name' } });
    }
  });
});

describe('what a tool can do wrong', () => {
  test.each<[string, () => unknown, string, string]>([
    ['rejects with text', () => Promise.reject('just text'), 'tool-error', 'just text'],
    ['rejects with nothing', () => Promise.reject(undefined), 'tool-error', 'undefined'],
    [
      'returns a circle',
      () => {
        const c: { c?: unknown } = {};
        c.c = c;
        return c;
      },
      'bad-result',
      'circular',
    ],
    ['returns 10 MB', () => 'x'.repeat(1e7), 'result-too-large', '10.0 MB'],
    [
      'says itself what is wrong',
      () => {
        throw new ToolError('disconnected', 'The device left.');
      },
      'disconnected',
      'The device left.',
    ],
  ])('%s', async (_, handler, code, message) => {
    const lab = setUp([{ name: 'get', handler }]);
    const result = await lab.execute(request('lab_get'));
    expect(result).toMatchObject({ status: 'error', error: { code } });
    expect(result.result).toContain(message);
  });

  test("an answer with isError is an error with the tool's own text and blocks", async () => {
    const content = [{ type: 'text', text: 'No such file: a.txt' }];
    const lab = setUp(
      [],
      outputTool('files', () => ({ value: undefined, content, isError: true })),
    );
    expect(await lab.execute(request('files_get'))).toMatchObject({
      status: 'error',
      result: 'No such file: a.txt',
      content,
      error: { code: 'tool-error', message: 'No such file: a.txt' },
    });
    const mute = setUp(
      [],
      outputTool('files', () => ({ value: '', isError: true })),
    );
    expect(await mute.execute(request('files_get'))).toMatchObject({
      result: 'The tool reported an error without details.',
    });
  });

  test('a method that returns nothing is an error', async () => {
    const lab = setUp(
      [],
      outputTool('void', () => undefined),
    );
    expect(await lab.execute(request('void_get'))).toMatchObject({ error: { code: 'bad-result' } });
  });

  test('the limit of results can be set', async () => {
    const lab = setUp([{ name: 'get', handler: () => 'x'.repeat(100) }]);
    expect(await lab.execute(request('lab_get'), { maxResultBytes: 99 })).toMatchObject({
      error: { code: 'result-too-large' },
    });
    expect(await lab.execute(request('lab_get'), { maxResultBytes: 100 })).toMatchObject({ status: 'success' });
  });
});

describe('the hooks', () => {
  test('tell of the start and the end, with the arguments as sent', async () => {
    const lab = setUp([{ name: 'set', inputSchema: volume }]);
    const result = await lab.execute(request('lab_set', { volume: '5' }));
    const record = {
      callId: 'c1',
      requestId: 'r1',
      caller: 'model',
      toolName: 'lab_set',
      toolId: 'lab',
      methodName: 'set',
      inputSchema: volume,
      args: { volume: 5 },
      startedAt: expect.any(Number),
      timeoutMs: 30_000,
    };
    expect(lab.started).toEqual([record]);
    expect(lab.ended).toEqual([{ ...record, result }]);
  });

  test('report calls that never ran, too', async () => {
    const lab = setUp([]);
    const result = await lab.execute(request('gone_get', { a: '1' }));
    expect(lab.started).toEqual([]);
    expect(lab.ended).toEqual([
      {
        callId: 'c1',
        requestId: 'r1',
        caller: 'model',
        toolName: 'gone_get',
        args: { a: '1' },
        startedAt: expect.any(Number),
        timeoutMs: 30_000,
        result,
      },
    ]);
  });

  test("progress carries the call's id, and stops with the call", async () => {
    const told: unknown[] = [];
    let late = (): void => undefined;
    const lab = setUp([
      {
        name: 'get',
        handler: (_, { onProgress }) => {
          onProgress?.({ progress: 1, total: 2, message: 'half' });
          late = () => onProgress?.({ progress: 2 });
          return 'done';
        },
      },
    ]);
    await lab.execute(request('lab_get'), { onProgress: (progress) => told.push(progress) });
    late();
    expect(told).toEqual([{ callId: 'c1', progress: 1, total: 2, message: 'half' }]);
  });

  test('an error in a hook is reported and does not change the result', async () => {
    const lab = setUp([{ name: 'get', handler: (_, { onProgress }) => (onProgress?.({ progress: 1 }), 'done') }]);
    const fail = (name: string) => () => {
      throw new Error(`bad ${name}`);
    };
    const hooks = { onCallStart: fail('start'), onCallEnd: fail('end'), onProgress: fail('progress') };
    expect(await lab.execute(request('lab_get'), hooks)).toMatchObject({ status: 'success', result: 'done' });
    expect(lab.errors).toEqual([
      ...['the hook onCallStart: Error: bad start', 'the hook onProgress: Error: bad progress'],
      'the hook onCallEnd: Error: bad end',
    ]);
  });
});
