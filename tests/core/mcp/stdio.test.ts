import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';
import { maskSecrets } from '../../../src-core/base/maskSecrets.ts';

import { exactNumber, parseExactly } from '../../../src-core/base/exactNumber.ts';
import type { ConnectFailure } from '../../../src-core/mcp/errors.ts';
import { environmentOf } from '../../../src-core/mcp/findProgram.ts';
import { readOwnPath } from '../../../src-core/mcp/ownPath.ts';
import { StdioTransport } from '../../../src-core/mcp/stdioTransport.ts';
import type { ConnectStep, ServerEndpoint } from '../../../src-core/mcp/types.ts';
import { countProcesses } from '../../helpers/countProcesses.ts';
import { callOptions, connect, never, rawServer } from './connectedServer.ts';
import { fakeDeadlines } from './fakeDeadlines.ts';

async function failure(endpoint: ServerEndpoint, options: Parameters<typeof connect>[1] = {}): Promise<ConnectFailure> {
  return connect(endpoint, options).then(
    () => expect.fail('It connected.'),
    (error: unknown) => error as ConnectFailure,
  );
}

test('a server that never answers the probe is legacy after 3 s, and is not probed the next time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const probed = Promise.withResolvers<unknown>();
  const connecting = connect(rawServer('silent'), {
    observer: { onFrame: probed.resolve, onNote: () => undefined, onStderr: () => undefined },
  });
  await probed.promise;
  await nextTurn();
  vi.advanceTimersByTime(3_000);
  vi.useRealTimers();
  const connection = await connecting;
  expect(connection.era).toBe('legacy');
  const again = await connect(rawServer('silent'), { assumesLegacy: connection.ignoredProbe });
  expect(again.recording.frames.some(({ text }) => text.includes('server/discover'))).toBe(false);
  expect((await again.listTools(never)).tools.map(({ name }) => name)).toEqual(['echo']);
});

test('a server that logs something but does not answer the probe has ignored it', async () => {
  const connection = await connect(rawServer('chatty'), { probeTimeoutMs: 100 });
  expect([connection.era, connection.ignoredProbe]).toEqual(['legacy', true]);
});

test.each(['auto', 'legacy'] as const)('a server that was not probed (%s) has not ignored a probe', async (era) => {
  expect((await connect(rawServer(), { era, assumesLegacy: true })).ignoredProbe).toBe(false);
});

test('a server that ends at the probe is started once more, and one process is left', async () => {
  const processes = countProcesses();
  const connection = await connect(rawServer('dies'));
  expect([connection.era, connection.ignoredProbe]).toEqual(['legacy', true]);
  expect([processes.started, processes.live]).toEqual([2, 1]);
  expect((await connection.listTools(never)).tools).toHaveLength(1);
});

test('a modern server that is too slow for the probe refuses initialize, and is asked once more', async () => {
  const connection = await connect(rawServer('slow'), { probeTimeoutMs: 100 });
  expect(connection.era).toBe('modern');
  const known = await connect(rawServer('slow'), { assumesLegacy: true });
  expect(known.era).toBe('modern');
});

test('a modern server that starts too slowly for the probe, and also answers initialize, is spoken to as a modern one', async () => {
  const processes = countProcesses();
  const connection = await connect(rawServer('late'), { probeTimeoutMs: 100 });
  expect([processes.started, processes.live]).toEqual([2, 1]);
  expect([connection.era, connection.ignoredProbe]).toEqual(['modern', false]);
  expect((await connection.listTools(never)).tools).toHaveLength(1);
});

test('integers that no double holds are kept in arguments, in results and in the recorded frames', async () => {
  const connection = await connect(rawServer());
  const args = { id: exactNumber('9007199254740993'), plain: 2 };
  const { structuredContent } = await connection.callTool('echo', args, callOptions());
  expect(JSON.stringify(structuredContent)).toBe('{"id":9007199254740993,"plain":2}');
  const frames = connection.recording.frames.filter(({ text }) => text.includes('9007199254740993'));
  expect(frames.map(({ direction }) => direction)).toEqual(['out', 'in']);
});

test('content of an unknown type is kept as it is', async () => {
  const connection = await connect(rawServer());
  const { content } = await connection.callTool('hologram', {}, callOptions());
  expect(JSON.stringify(content)).toBe('[{"type":"text","text":"a"},{"type":"hologram","rays":9007199254740993}]');
});

test('a list with malformed tools has the others, and each fault', async () => {
  const connection = await connect(rawServer('malformed'));
  const { tools, faults } = await connection.listTools(never);
  expect(tools.map(({ name }) => name)).toEqual(['good', 'good', 'last']);
  expect(faults).toEqual([
    { index: 1, code: 'not-an-object', item: 7 },
    { index: 2, code: 'no-name', item: { description: 'x', inputSchema: { type: 'object' } } },
    { index: 3, code: 'no-input-schema', name: 'bare', item: { name: 'bare' } },
    expect.objectContaining({ index: 4, code: 'duplicate-name', name: 'good' }),
  ]);
});

test('twelve tools by four are read page by page, and are one list', async () => {
  const connection = await connect(rawServer('pages'));
  const { tools } = await connection.listTools(never);
  expect(tools.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, at) => `tool${at}`));
  const frames = connection.recording.frames.map(
    ({ text }) => JSON.parse(text) as { method?: string; params?: { cursor?: string }; result?: { tools?: object[] } },
  );
  const asked = frames.filter(({ method }) => method === 'tools/list').map(({ params }) => params?.cursor);
  expect(asked).toEqual([undefined, '1', '2']);
  expect(frames.flatMap(({ result }) => result?.tools?.length ?? [])).toEqual([4, 4, 4]);
});

test('a cursor that repeats ends with an error that names it', async () => {
  const connection = await connect(rawServer('circle'));
  await expect(connection.listTools(never)).rejects.toMatchObject({
    code: 'repeated-cursor',
    message: 'The server sent the cursor "1" of tools/list twice.',
  });
});

test('an answer of 12 MiB arrives', async () => {
  const connection = await connect(rawServer());
  const bytes = 12 * 1024 * 1024;
  const { content } = await connection.callTool('large', { bytes }, callOptions());
  expect((content[0] as { text: string }).text).toHaveLength(bytes);
});

test('an answer over the bound fails its call alone, and the connection lives', async () => {
  const connection = await connect(rawServer(), { maxMessageBytes: 10_000 });
  const sleeping = connection.callTool('sleep', {}, callOptions({ timeoutMs: 60_000 }));
  const stopped = expect(sleeping).rejects.toMatchObject({ code: 'connection-lost' });
  await expect(connection.callTool('large', { bytes: 20_000 }, callOptions())).rejects.toMatchObject({
    code: 'too-large',
    details: { maxBytes: 10_000 },
  });
  expect((await connection.callTool('large', { bytes: 100 }, callOptions())).isError).toBe(false);
  await connection.close();
  await stopped;
});

test('an answer that is nested too deeply fails its call alone, and a request is dropped', async () => {
  const elicit = (): never => expect.fail('It asked.');
  const connection = await connect(rawServer(), { handlers: { elicit } });
  await expect(connection.callTool('deep', {}, callOptions())).rejects.toMatchObject({ code: 'invalid-answer' });
  expect((await connection.callTool('large', { bytes: 100 }, callOptions())).isError).toBe(false);
});

test('a cancelled call says so, and tells the server why', async () => {
  const connection = await connect(rawServer());
  const cancel = new AbortController();
  const call = connection.callTool('sleep', {}, callOptions({ signal: cancel.signal }));
  await expect.poll(() => connection.recording.frames.at(-1)?.text).toContain('sleep');
  cancel.abort();
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  const { structuredContent } = await connection.callTool('received', {}, callOptions());
  const { received } = structuredContent as { received: { id?: number; method: string; params?: { name?: string } }[] };
  const sleep = received.find(({ params }) => params?.name === 'sleep');
  expect(received.find(({ method }) => method === 'notifications/cancelled')?.params).toMatchObject({
    requestId: sleep?.id,
    reason: 'The request was cancelled.',
  });
});

test('a call that takes too long is a time-out, and tells the server why', async () => {
  const connection = await connect(rawServer());
  await expect(connection.callTool('sleep', {}, callOptions({ timeoutMs: 50 }))).rejects.toMatchObject({
    code: 'timeout',
    details: { limitMs: 50, total: false },
  });
  const { method, params } = JSON.parse(connection.recording.frames.at(-1)?.text ?? '') as Record<string, unknown>;
  expect([method, params]).toMatchObject(['notifications/cancelled', { reason: 'No answer for 50 ms.' }]);
});

test('progress starts the time anew, and the total bound still ends the call', async () => {
  const connection = await connect(rawServer());
  fakeDeadlines();
  const steps: number[] = [];
  const onProgress = ({ progress }: { progress: number }): void => {
    steps.push(progress);
    vi.advanceTimersByTime(200);
  };
  await connection.callTool('progress', { steps: 8 }, callOptions({ timeoutMs: 300, onProgress }));
  expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const bound = { timeoutMs: 300, maxTotalMs: 1_000, onProgress };
  const bounded = connection.callTool('progress', { steps: 100 }, callOptions(bound));
  await expect(bounded).rejects.toMatchObject({ code: 'timeout', details: { total: true } });
});

test('progress and an answer that come after a call was cancelled are notes, and no errors', async () => {
  const connection = await connect(rawServer());
  const cancel = new AbortController();
  const onProgress = (): void => cancel.abort();
  const call = connection.callTool('progress', { steps: 3 }, callOptions({ signal: cancel.signal, onProgress }));
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  const late = (): string[] => connection.recording.notes.filter((note) => note.includes('arrived after'));
  await expect.poll(() => late().length).toBe(3);
  const notes = connection.recording.notes.map((note) => maskSecrets(note));
  expect(notes.filter((note) => note.includes('Error'))).toEqual([]);
  expect(notes).toContainEqual(
    expect.stringMatching(/^note: Progress for request \d+ arrived after the call had ended/),
  );
  expect(notes).toContainEqual(
    expect.stringMatching(/^note: The answer to request \d+ arrived after the call had ended/),
  );
});

test("a server's error has its code and data", async () => {
  const connection = await connect(rawServer());
  await expect(connection.callTool('fail', {}, callOptions())).rejects.toMatchObject({
    code: 'rpc',
    message: 'no such tool',
    details: { rpcCode: -32602, data: { x: 1 } },
  });
});

test('a server that is killed fails the running call, and says how it ended', async () => {
  const connection = await connect(rawServer());
  const sleeping = connection.callTool('sleep', {}, callOptions());
  const crash = connection.callTool('crash', {}, callOptions());
  await expect(sleeping).rejects.toMatchObject({ code: 'connection-lost' });
  await expect(crash).rejects.toMatchObject({ code: 'connection-lost' });
  expect(await connection.closed).toMatchObject({ code: 'process-exited', exitSignal: 'SIGKILL' });
  await expect(connection.listTools(never)).rejects.toMatchObject({ code: 'connection-lost' });
});

test('the end of a server is noticed while a process in another group has its output open', async () => {
  const connection = await connect(rawServer());
  const { structuredContent } = await connection.callTool('heir', {}, callOptions());
  onTestFinished(() => void process.kill((structuredContent as { pid: number }).pid, 'SIGKILL'));
  await expect(connection.callTool('crash', {}, callOptions())).rejects.toMatchObject({ code: 'connection-lost' });
  expect(await connection.closed).toMatchObject({ code: 'process-exited', exitSignal: 'SIGKILL' });
});

test('closing waits until the last lines of the server are read', async () => {
  // What it starts writes the line after the server itself has ended.
  const script = `cat >/dev/null; setsid sh -c 'sleep 0.05; echo "{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"bye\\"}"' &`;
  const frames: string[] = [];
  const transport = new StdioTransport(
    { type: 'stdio', command: 'sh', args: ['-c', script], env: {} },
    { onFrame: ({ text }) => void frames.push(text), onNote: () => undefined, onStderr: () => undefined },
    1_000_000,
  );
  await transport.start();
  await transport.close();
  expect(frames).toEqual(['{"jsonrpc":"2.0","method":"bye"}']);
});

test('a child sees the listed variables and its own only', async () => {
  const networkVariables = {
    NODE_EXTRA_CA_CERTS: '/etc/company@home.pem',
    HTTPS_PROXY: 'http://proxy.example:3128',
    no_proxy: 'localhost,0a1b2c3d4e5f60718293a4b5c6d7e8f9.example',
    npm_config_proxy: 'http://proxy.example:3128',
  };
  const secrets = {
    TOOLWIRE_TEST_SECRET: 'not for children',
    HTTP_PROXY: 'http://user:password@proxy.example:3128',
    ALL_PROXY: 'user:password@proxy.example:3128',
    UV_DEFAULT_INDEX: 'https://pypi.example/?token=1',
    npm_config_registry: 'https://npm.example/0a1b2c3d4e5f6071/npm/',
    npm_config__auth: 'abc',
  };
  const ofMachine = /proxy$|^npm_config_|^(?:NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|SSL_CERT_\w+|UV_DEFAULT_INDEX)$/i;
  for (const name of Object.keys(process.env).filter((each) => ofMachine.test(each))) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ ...networkVariables, ...secrets })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const connection = await connect({ ...rawServer(), env: { TOKEN: 'own' } });
  const { structuredContent } = await connection.callTool('variables', {}, callOptions());
  const variables = structuredContent as Record<string, string>;
  expect(variables).toMatchObject({ TOKEN: 'own', PATH: readOwnPath(), ...networkVariables });
  const allowed = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'TOKEN', ...Object.keys(networkVariables)];
  expect(Object.keys(variables).filter((name) => !allowed.includes(name))).toEqual([]);
});

test('the proxy of a server replaces that of Toolwire, however each is spelt', () => {
  vi.stubEnv('https_proxy', 'http://proxy.example:3128');
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.example:3128');
  onTestFinished(() => void vi.unstubAllEnvs());
  const variables = environmentOf({ HTTPS_PROXY: 'http://own.example:3128' });
  expect([variables['https_proxy'], variables['HTTPS_PROXY']]).toEqual([undefined, 'http://own.example:3128']);
});

test('on Windows, a variable of a server replaces that of Toolwire, however it is spelt', () => {
  const variables = environmentOf({ Path: '/own', hOmE: '/own/home' }, true);
  expect(Object.entries(variables).filter(([name]) => /^(?:path|home)$/i.test(name))).toEqual([
    ['Path', '/own'],
    ['hOmE', '/own/home'],
  ]);
  expect(environmentOf({ Path: '/own' }, false)['PATH']).toBe(readOwnPath());
});

test('a missing program is named, with the directories searched', async () => {
  const env = { PATH: '/nowhere/bin:/usr/nothing:/nowhere/bin' };
  const steps: ConnectStep[] = [];
  const endpoint: ServerEndpoint = { type: 'stdio', command: 'no-such-mcp', args: [], env };
  const error = await failure(endpoint, { onStep: (step) => steps.push(step) });
  expect(error).toMatchObject({ code: 'program-not-found', params: { command: 'no-such-mcp' } });
  expect(error.searched.slice(0, 2)).toEqual(['/nowhere/bin', '/usr/nothing']);
  expect(error.searched.filter((directory) => directory === '/nowhere/bin')).toHaveLength(1);
  expect(steps).toEqual([{ step: 'program', outcome: 'failed', facts: { command: 'no-such-mcp' } }]);
});

test('a missing folder is not a missing program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-'));
  rmSync(folder, { recursive: true });
  const error = await failure({ ...rawServer(), cwd: folder });
  expect(error).toMatchObject({ code: 'program-not-startable', message: `The folder "${folder}" does not exist.` });
});

test('an early exit has its code and the last lines of stderr', async () => {
  const error = await failure(rawServer('exit'));
  expect(error).toMatchObject({ code: 'process-exited', params: { exitCode: 3 } });
  expect(error.stderr).toEqual(['first line', 'the licence is missing']);
});

test('a process that stops reading and then exits has ended by itself', async () => {
  const script = "require('fs').closeSync(0); setTimeout(() => process.exit(3), 800)";
  const error = await failure({ ...rawServer(), args: ['-e', script] }, { probeTimeoutMs: 400 });
  expect(error).toMatchObject({ code: 'process-exited', params: { exitCode: 3 } });
});

test('a process that writes lines on stdout and no message fails with the line, long before the time of initialize', async () => {
  const steps: ConnectStep[] = [];
  const error = await failure(rawServer('junk'), { junkTimeoutMs: 100, onStep: (step) => steps.push(step) });
  expect(error).toMatchObject({ code: 'junk-on-stdout', params: { line: 'Welcome to the best server' } });
  expect(steps.map(({ step, outcome }) => [step, outcome])).toEqual([
    ['program', 'passed'],
    ['process', 'passed'],
    ['initialize', 'failed'],
  ]);
});

test('a server that writes a banner on stdout before its first message connects, however long it takes', async () => {
  const connection = await connect(rawServer('banner'), { junkTimeoutMs: 0 });
  await expect.poll(() => connection.recording.notes.filter((note) => note.includes('Still here')).length).toBe(3);
  expect((await connection.listTools(never)).tools).toHaveLength(1);
});

test.each(['', '>&2'])(
  'a process that writes lines without pause (yes %s) blocks nothing, and is ended',
  async (to) => {
    const args = ['-c', `yes ${to} & cat >/dev/null; kill $!`];
    const error = await failure(
      { type: 'stdio', command: 'sh', args, env: {} },
      { probeTimeoutMs: 100, initializeTimeoutMs: 300 },
    );
    expect(error).toMatchObject(to === '' ? { code: 'junk-on-stdout', params: { line: 'y' } } : { code: 'no-answer' });
    expect(error.stderr.length).toBeLessThanOrEqual(1000);
  },
);

test('a server that does not answer initialize is a time-out of its own', async () => {
  const error = await failure(rawServer('mute'), { initializeTimeoutMs: 200 });
  expect(error).toMatchObject({ code: 'no-answer', params: { limitMs: 200 } });
});

test.each([
  ['that the server answers with', 'future', '2031-01-01'],
  ['with which the server refuses ours', 'refuses', '2031-01-01, 2032-01-01'],
  ['that the server answers with, if they are dates,', 'unnamed', ''],
])('the revisions %s are named', async (_, fault, supported) => {
  expect(await failure(rawServer(fault))).toMatchObject({ code: 'wrong-revision', params: { supported } });
});

test.each([
  ['', '["Sign in at evil.example", {}, null, 7, "2031-01-01\\n", "x2031-01-01"]'],
  ['2031-01-01', '[["2032-01-01"], "2031-01-01"]'],
  [Array<string>(20).fill('2031-01-01').join(', '), JSON.stringify(Array<string>(30).fill('2031-01-01'))],
])('of the revisions that a server names, only dates are kept, at most 20 (%#)', async (supported, offered) => {
  expect((await failure(rawServer(`refuses${offered}`))).params).toEqual({ supported });
});

test('modern only: a legacy server is refused', async () => {
  expect((await failure(rawServer(), { era: 'modern' })).code).toBe('wrong-revision');
});

test('the steps of a connection have their facts', async () => {
  const steps: ConnectStep[] = [];
  const connection = await connect(rawServer(), { onStep: (step) => steps.push(step) });
  expect(steps).toEqual([
    { step: 'program', outcome: 'passed', facts: { command: process.execPath, path: process.execPath } },
    { step: 'process', outcome: 'passed', facts: { pid: connection.pid } },
    { step: 'initialize', outcome: 'passed', facts: { era: 'legacy', revision: '2025-11-25' } },
  ]);
});

test('a frame is the text that was sent', async () => {
  const connection = await connect(rawServer());
  await connection.callTool('echo', { x: parseExactly('1.0') }, callOptions());
  expect(connection.recording.frames.at(-2)?.text).toContain('"arguments":{"x":1.0}');
});
