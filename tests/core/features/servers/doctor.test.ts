/** Why a server does not work: each cause is a sentence with a remedy, in English and in Chinese. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { en } from '../../../../src-core/base/messages/en/index.ts';
import { renderMessage } from '../../../../src-core/base/messages/message.ts';
import { zhServers } from '../../../../src-core/base/messages/zh/servers.ts';
import type { ServerRow } from '../../../../src-core/contract/types.ts';
import type { SignInProvider } from '../../../../src-core/mcp/auth/types.ts';
import { LiveServer } from '../../../../src-core/features/servers/liveServer.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveLegacy } from '../../mcp/legacyServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { addServer, nodeServer, onlyServer, untilState } from './support.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench();
});

type Config = Parameters<typeof addServer>[1];

async function failureOf(config: Config): Promise<NonNullable<ServerRow['failure']>> {
  await addServer(workbench, config);
  return vi.waitUntil(async () => (await onlyServer(workbench)).failure, { timeout: 20_000, interval: 5 });
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
/** The URL of a server that answers each request so. */
const answering = (status: number, type: string, body: string): Promise<string> =>
  listen(createServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body)));
/** The URL of a server that has ended. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  server.close();
  await once(server, 'close');
  return url;
}
/** The URL of a server with a self-signed certificate. */
async function selfSignedUrl(): Promise<string> {
  const pem = readFileSync(join(process.cwd(), 'tests/fixtures/mcp/selfSigned.pem'));
  return (await listen(createTlsServer({ key: pem, cert: pem }))).replace('http:', 'https:');
}
const http = (url: string): Config => ({ name: 'web', type: 'http', url, headers: [] });
const script = (text: string): Config => nodeServer('script', ['-e', text]);

it.each([
  {
    cause: 'a program that is missing',
    config: () => ({ name: 'a', type: 'stdio' as const, command: 'no-such-program', args: [], env: [] }),
    code: 'program-not-found',
    says: /"no-such-program" was not found\. Install it.+ Searched: .+/,
    zh: /找不到程序“no-such-program”/,
  },
  {
    cause: 'a process that ends, and what it wrote to stderr',
    config: () => script('console.error("no database"); process.exit(3)'),
    code: 'process-exited',
    says: /^The process ended \(exit code 3\)\. Its last lines on stderr may show the reason:$/,
    zh: /进程已退出（退出码 3）/,
    stderr: ['no database'],
  },
  {
    cause: 'text on stdout',
    config: () => script('console.log("Listening"); setTimeout(() => process.exit(1), 200)'),
    code: 'process-exited',
    says: /\. It wrote to stdout: "Listening"\. It wrote nothing to stderr\. Run the command in a terminal/,
    zh: /。它向 stdout 写入了“Listening”。它没有向 stderr 写入内容。请/,
  },
  {
    cause: 'a closed port',
    config: async () => http(await closedUrl()),
    code: 'refused',
    says: /Nothing answers at 127\.0\.0\.1:\d+\. Start the server/,
    zh: /127\.0\.0\.1:\d+ 没有应答/,
  },
  {
    cause: 'a port that no HTTP client opens',
    config: () => http('http://127.0.0.1:9/mcp'),
    code: 'blocked-port',
    says: /Node\.js and browsers block port 9\. Let/,
    zh: /禁止使用端口 9。/,
  },
  {
    cause: 'a host that is not known',
    config: () => http('http://no-such-host.invalid/mcp'),
    code: 'dns',
    says: /"no-such-host\.invalid" is not known/,
    zh: /无法解析主机“no-such-host\.invalid”/,
  },
  {
    cause: 'a status',
    config: async () => http(await answering(410, 'text/plain', '')),
    code: 'http-status',
    says: /the status 410\. Check/,
    zh: /返回状态码 410。请/,
  },
  {
    cause: 'an error of the server',
    config: async () => http(await answering(500, 'text/plain', 'no such table:\n  notes')),
    code: 'server-error',
    says: /^The server returned an internal error \(500\): "no such table: notes"\. Its own log may show the reason\.$/,
    zh: /^服务器内部错误（500）：“no such table: notes”。原因可能/,
  },
  {
    cause: 'an error of a proxy',
    config: async () => http(await answering(502, 'text/html', '<html><title>Bad gateway</title><p>nginx')),
    code: 'server-error',
    says: /^The server or a proxy in front of it failed \(502\): "Bad gateway"\. Its/,
    zh: /^服务器或其前面的代理出错（502）：“Bad gateway”。/,
  },
  {
    cause: 'https to a server without TLS',
    config: async () => http((await answering(200, 'text/plain', '')).replace('http:', 'https:')),
    code: 'not-tls',
    says: /^127\.0\.0\.1:\d+ does not use TLS\. Begin the URL with http:\/\/\.$/,
    zh: /^127\.0\.0\.1:\d+ 不使用 TLS。/,
  },
  {
    cause: 'a self-signed certificate',
    config: async () => http(await selfSignedUrl()),
    code: 'tls',
    says: /^No secure connection to "127\.0\.0\.1": its certificate is self-signed\. Check/,
    zh: /^无法与“127\.0\.0\.1”建立安全连接：服务器使用自签名证书。/,
  },
  {
    cause: 'a later revision',
    config: () =>
      script(`process.stdin.on('data', (data) => {
        const { id, method } = JSON.parse(data);
        const result = { protocolVersion: '2030-01-01', capabilities: {}, serverInfo: { name: 'a', version: '1' } };
        const error = { code: -32601, message: 'unknown' };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : { error }) }));
      })`),
    code: 'wrong-revision',
    says: /in common\. The server offers 2030-01-01\. Toolwire supports 2024-11-05 to 2026-07-28\./,
    zh: /MCP 版本。服务器提供 2030-01-01，Toolwire 支持 2024-11-05 至 2026-07-28。/,
  },
  {
    cause: 'a token that is not valid',
    config: async () => ({
      ...http(await answering(401, 'text/plain', '')),
      headers: [{ name: 'authorization', value: 'Bearer old-token' }],
    }),
    code: 'header-refused',
    says: /refused the header Authorization \(401\)\. Edit the server/,
    zh: /拒绝了请求头 Authorization（401）。请编辑服务器/,
  },
  {
    cause: 'a web page',
    config: async () => http(await answering(200, 'text/html', '<p>Hello</p>')),
    code: 'content-type',
    says: /^The server answered with a web page \(text\/html\) instead of MCP\. Check the path of the URL\.$/,
    zh: /^服务器返回的是网页（text\/html），而不是 MCP。请检查 URL 的路径。$/,
  },
  {
    cause: 'an answer that is not MCP',
    config: async () => http(await answering(200, 'application/json', '{"jsonrpc":"2.0"}')),
    code: 'not-mcp',
    says: /^The server's answer is not valid MCP: its fields are not those of MCP\. Check .+ the path of the URL/,
    zh: /^服务器的应答不符合 MCP：其字段与 MCP 不符。请检查命令或 URL 的路径。$/,
  },
  {
    cause: 'an answer that is not JSON',
    config: async () => http(await answering(200, 'application/json', '<p>')),
    code: 'not-mcp',
    says: /: it is not JSON\. Check/,
    zh: /不符合 MCP：内容不是 JSON。请检查/,
  },
  {
    cause: 'an empty answer',
    config: async () => http(await answering(200, 'application/json', '')),
    code: 'not-mcp',
    says: /: it is empty or ends too early\. Check/,
    zh: /不符合 MCP：内容为空或不完整。请检查/,
  },
  {
    cause: 'an answer without a type',
    config: async () => http(await answering(200, '', 'hello')),
    code: 'not-mcp',
    says: /: it has no Content-Type\. Check/,
    zh: /不符合 MCP：缺少 Content-Type。请检查/,
  },
  {
    cause: 'a page in place of an event stream',
    config: async () => ({
      name: 'a',
      type: 'sse' as const,
      url: await answering(200, 'text/html', '<p>Hello</p>'),
      headers: [],
    }),
    code: 'not-mcp',
    says: /: it is not an event stream \(text\/event-stream\)\. Check/,
    zh: /不符合 MCP：内容不是事件流（text\/event-stream）。请检查/,
  },
  {
    cause: 'an answer to initialize without what it needs',
    config: () =>
      script(`process.stdin.on('data', (data) => {
        const { id, method } = JSON.parse(data);
        const result = { protocolVersion: '2025-06-18' };
        const error = { code: -32601, message: 'unknown' };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : { error }) }));
      })`),
    code: 'not-mcp',
    says: /: its answer to initialize has no valid capabilities, serverInfo\. Check/,
    zh: /不符合 MCP：对 initialize 的应答缺少有效的 capabilities, serverInfo。请检查/,
  },
])('names $cause', async ({ config, code, says, zh, stderr = [] }) => {
  const failure = await failureOf(await config());
  expect(failure.code).toBe(`servers.failed.${code}`);
  expect(failure.text).toMatch(says);
  expect(renderMessage(failure, en)).toBe(failure.text);
  expect(renderMessage(failure, zhServers)).toMatch(zh);
  expect(failure.stderr).toEqual(stderr);
  expect((await onlyServer(workbench)).state).toBe('failing');
});

it('shows initialize as the step that runs once the process has started, and only the step that failed as failed', async () => {
  const id = await addServer(workbench, script('process.stdin.resume()'));
  await vi.waitUntil(async () => (await onlyServer(workbench)).step === 'initialize');
  await workbench.services.servers.remove({ id });
  const ended = await addServer(workbench, script('process.exit(3)'));
  await untilState(workbench, 'failing');
  const { steps } = await workbench.services.servers.detail({ id: ended });
  expect(steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'approval passed',
    'program passed',
    'process failed',
    'initialize unreached',
    'lists unreached',
  ]);
});

it('tells why a start does not go on while it still waits, and in the log, in the language of the window', async () => {
  const id = await addServer(workbench, script('console.log("Listening"); process.stdin.resume()'));
  await vi.waitUntil(async () => (await onlyServer(workbench)).failure, { timeout: 20_000, interval: 5 });
  const { state, failure } = await onlyServer(workbench);
  expect([state, failure?.code]).toEqual(['starting', 'servers.failed.junk-on-stdout']);
  expect(await workbench.services.servers.detail({ id })).toMatchObject({ junkLines: 1 });
  await workbench.services.servers.stop({ id });
  const log = await workbench.services.servers.log({ id });
  expect(log.map(({ message }) => message && renderMessage(message, zhServers))).toEqual([
    expect.stringMatching(/^进程 \d+$/),
    'stdout 上的内容不是 JSON-RPC：Listening',
    expect.stringMatching(/^进程已退出（.+）$/),
  ]);
  expect(log.map(({ text, message }) => text === message?.text)).toEqual([true, true, true]);
});

type LiveServerDeps = ConstructorParameters<typeof LiveServer>[0];

function liveServer(deps: Pick<LiveServerDeps, 'clock'> & Partial<LiveServerDeps>): LiveServer {
  let silent: ReturnType<LiveServerDeps['kept']>['silent'];
  const server = new LiveServer({
    closing: new AbortController().signal,
    frames: () => ({ add: () => undefined, note: () => undefined, stderr: () => undefined }),
    toolRegistryManager: createToolRegistryManager(),
    handlers: () => ({}),
    maxMessageBytes: () => undefined,
    kept: () => ({ consumers: undefined, logLevel: 'off', silent }),
    keepSilent: (now) => (silent = now),
    signIn: () => Promise.resolve(undefined),
    check: () => [],
    onChange: () => undefined,
    onRetry: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
    ...deps,
  });
  onTestFinished(() => server.stop());
  return server;
}

it('tells 15 s after a sign-in, however long that took, that a server has not answered yet', async () => {
  const clock = createManualClock();
  const authProvider = {
    secrets: () => [],
    wrapFetch: (fetch: unknown) => fetch,
    token: () => Promise.resolve(undefined),
  };
  const signedIn = Promise.withResolvers<undefined>();
  const server = liveServer({
    clock,
    async signIn(_endpoint, { onState }) {
      const signIn = async (): Promise<void> => {
        onState?.('waits');
        await signedIn.promise;
        onState?.('done');
      };
      return Promise.resolve({ ...authProvider, signIn } as unknown as SignInProvider);
    },
  });
  let requests = 0;
  const web = createServer((_request, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(401).end();
  });
  await once(web.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void [web.close(), web.closeAllConnections()]);
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`;
  const endpoint = { type: 'http' as const, url, headers: {} };
  server.start({ id: 'slow', name: 'slow', registryId: 'slow' }, { endpoint, mask: (text) => text });
  await vi.waitUntil(() => server.state === 'sign-in');
  clock.advance(16_000);
  signedIn.resolve(undefined);
  await vi.waitUntil(() => server.state === 'starting');
  clock.advance(14_999);
  expect(server.failure).toBeUndefined();
  clock.advance(1);
  expect([server.state, server.failure?.text]).toEqual(['starting', expect.stringMatching(/within 15 s/)]);
});

it('tells after 15 s that a server has not answered yet', async () => {
  const clock = createManualClock();
  const errors: unknown[] = [];
  const server = liveServer({ clock, onError: (error) => errors.push(error) });
  const args = ['-e', 'console.error("waits"); process.stdin.resume()'];
  const endpoint = { type: 'stdio' as const, command: process.execPath, args, env: {} };
  server.start({ id: 'silent', name: 'silent', registryId: 'silent' }, { endpoint, mask: (text) => text });
  await vi.waitUntil(() => server.log.lines.some(({ kind }) => kind === 'stderr'));
  clock.advance(14_999);
  expect(server.failure).toBeUndefined();
  clock.advance(1);
  expect(server).toMatchObject({ state: 'starting', failure: { isCurrentAttempt: true, stderr: ['waits'] } });
  await server.stop();
  expect([server.failure, errors]).toEqual([undefined, []]);
});

it('probes a server that did not answer the probe again at its next start if a start fails', async () => {
  const keepSilent = vi.fn<LiveServerDeps['keepSilent']>();
  const kept = () => ({ consumers: undefined, logLevel: 'off' as const, silent: { endpoint: '', at: 0 } });
  const server = liveServer({ clock: createManualClock(), kept, keepSilent });
  const endpoint = { type: 'stdio' as const, command: process.execPath, args: ['-e', 'process.exit(1)'], env: {} };
  server.start({ id: 'ended', name: 'ended', registryId: 'ended' }, { endpoint, mask: (text) => text });
  await vi.waitUntil(() => server.state === 'failing');
  expect(keepSilent.mock.calls).toEqual([[undefined]]);
});

it('shows no secret in a cause', async () => {
  const secret = 'a-secret-of-the-test';
  const config = nodeServer(
    'script',
    ['-e', 'console.log(process.env.KEY); setTimeout(() => process.exit(1), 200)'],
    [{ name: 'KEY', value: secret }],
  );
  const failure = await failureOf(config);
  expect(failure.params?.['line']).toBe('***');
  expect(JSON.stringify(failure)).not.toContain(secret);
});

it('leaves no part of a secret where a line on stdout is cut', async () => {
  const secret = 'a-secret-of-the-test';
  const write = (length: number): string => `console.log("${'x'.repeat(length)} " + process.env.KEY);`;
  const config = nodeServer(
    'script',
    ['-e', `${write(3_980)} ${write(1_980)} ${write(490)} setTimeout(() => process.exit(1), 200)`],
    [{ name: 'KEY', value: secret }],
  );
  const failure = await failureOf(config);
  const { id } = await onlyServer(workbench);
  const log = await workbench.services.servers.log({ id });
  const { steps } = await workbench.services.servers.detail({ id });
  expect(JSON.stringify([failure, log, steps])).not.toContain('a-sec');
});

it('leaves no part of a secret where the body of a status or an error is cut', async () => {
  const secret = 'a-secret-of-the-test';
  // Wherever it is cut, it is within a secret.
  const text = `${secret} `.repeat(300);
  const refusing = await serveLegacy(({ method }) =>
    method === 'initialize' ? { error: { code: 1, message: text } } : undefined,
  );
  const { servers } = workbench.services;
  for (const url of [await answering(500, 'text/plain', text), refusing.url]) {
    const failure = await failureOf({ name: 'web', type: 'http', url, headers: [{ name: 'X-Team', value: secret }] });
    const { id } = await onlyServer(workbench);
    const { steps } = await servers.detail({ id });
    const shown = JSON.stringify([failure, steps, await servers.log({ id })]);
    expect(shown).toContain('*** '.repeat(14));
    expect(shown).not.toContain('a-sec');
    await servers.remove({ id });
  }
});
