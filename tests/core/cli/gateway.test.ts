/** `toolwire gateway`: the environment, the flags, the log, and a clean end. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { gatewayLogLine } from '../../../src-core/cli/gatewayLogLine.ts';
import type { GatewayEvent } from '../../../src-core/features/gateway/types.ts';
import { startScriptedChatServer } from '../../fakes/scriptedChatServer.ts';
import { connectClient, inShort } from '../features/gateway/support/testClient.ts';
import { ask } from '../features/gateway/support/wording.ts';
import { runCli, startCli } from './cliProcess.ts';

/** What the machine that runs the tests has set is its own business. */
const bare = { CLOUD_HOST: '', CLOUD_PORT: '', LLM_BASE_URL: '', LLM_MODEL: '', LLM_API_KEY: '', CLOUD_LOG_LEVEL: '' };

test('serves a conversation by environment and flags, logs lines of JSON, and ends cleanly on SIGTERM', async () => {
  const server = await startScriptedChatServer({
    turns: [{ toolCalls: [{ name: 'get_location' }] }, { text: '你在北京' }],
    apiKey: 'sk-secret',
  });
  onTestFinished(() => server.close());
  const program = startCli(['gateway', '--host', '127.0.0.1', '--port', '0', '--model', 'by-flag', '--json'], {
    ...bare,
    LLM_BASE_URL: server.baseUrl,
    LLM_MODEL: 'by-env',
    LLM_API_KEY: 'sk-secret',
    CLOUD_LOG_LEVEL: 'DEBUG',
  });
  const facts = JSON.parse(await program.firstLine()) as { url: string; port: number };
  expect(facts).toMatchObject({
    host: '127.0.0.1',
    model: 'by-flag',
    modelUrl: server.baseUrl,
    pid: program.child.pid,
  });
  const client = await connectClient(facts.url);
  await client.connected();
  client.send(ask('我在哪里？'));
  expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'tool_call', 'llm_response', 'status:idle']);
  expect(server.chats[0]!.body.model).toBe('by-flag');
  program.child.kill('SIGTERM');
  expect(await client.closed).toBe(1001);
  const { code, err } = await program.ended;
  expect(code).toBe(0);
  expect(err).not.toContain('sk-secret');
  const lines = err
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; message: string });
  expect(lines.filter(({ level }) => level !== 'DEBUG').map(({ message }) => message)).toEqual([
    ...['listening', 'connected', 'tool call', 'turn ended', 'disconnected', 'closed'],
  ]);
  expect(lines.find(({ message }) => message === 'frame')).toMatchObject({ level: 'DEBUG', type: 'open' });
  expect(lines.find(({ message }) => message === 'tool call')).toMatchObject({ tool: 'llm-gateway_get_location' });
});

test('SIGINT ends it while a model is asked and a client waits', async () => {
  const server = await startScriptedChatServer({ turns: [{ fault: 'no-answer' }] });
  onTestFinished(() => server.close());
  const args = ['gateway', '--host', '127.0.0.1', '--port', '0', '--model-url', server.baseUrl, '--json'];
  const program = startCli(args, bare);
  const { url } = JSON.parse(await program.firstLine()) as { url: string };
  const client = await connectClient(url);
  client.send(ask('hi'));
  const request = await server.chat(0);
  program.child.kill('SIGINT');
  expect(await client.closed).toBe(1001);
  expect(await request.closed).toBe('hung up');
  expect((await program.ended).code).toBe(0);
});

test.each([
  [
    true,
    /^LLM gateway at ws:\/\/0\.0\.0\.0:\d+, with Qwen3-30B-A3B at http:\/\/192\.168\.13\.228:8000\/v1\/\. A page to try it: http:\/\/127\.0\.0\.1:\d+\/\./,
  ],
  [false, /^$/],
])('listens on every address by default, warns, and greets on a terminal only (%s)', async (printsToUser, greeting) => {
  const ended = new AbortController();
  const notes: string[] = [];
  const { code, out } = await runCli(['gateway', '--port', '0'], '', {
    env: {},
    printsToUser,
    ended: ended.signal,
    note: (line) => {
      notes.push(line);
      if (line.includes('open to the network')) ended.abort();
    },
  });
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(greeting) as string,
  });
  expect(JSON.parse(notes[0]!)).toMatchObject({
    level: 'INFO',
    message: 'listening',
  });
  expect(JSON.parse(notes[1]!)).toMatchObject({ level: 'WARNING', message: 'open to the network', host: '0.0.0.0' });
});

test('a port that is taken is one line, and exit code 1', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void squatter.close());
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const { code, err } = await runCli(['gateway', '--host', '127.0.0.1', '--port', String(port)], '', { env: {} });
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`^toolwire: Port ${port} on 127.0.0.1 is used by`));
});

test.each<[string[], Record<string, string>, RegExp]>([
  [['--port', 'many'], {}, /--port must be a whole number/],
  [
    ['--allow-origin', 'localhost:99'],
    {},
    /--allow-origin: This must be a list of origins .* such as http:\/\/localhost:8080/,
  ],
  [['--model-url', 'nowhere'], {}, /--model-url: This must be an http or https address/],
  [['--model-url', 'http://a:b@c/v1'], {}, /name and a password/],
  [[], { CLOUD_PORT: 'many' }, /CLOUD_PORT must be a whole number from 0 to 65535\.\n/],
  [[], { MCP_ENABLED: 'perhaps' }, /MCP_ENABLED must be true or false/],
  [[], { LLM_API_KEY: 'two words' }, /LLM_API_KEY must be one line/],
])('%j with %j is a wrong command line', async (args, env, words) => {
  const { code, err } = await runCli(['gateway', ...args], '', { env });
  expect(code).toBe(2);
  expect(err).toMatch(words);
  expect(err).not.toContain('two words');
});

test('lines of the log: the level decides, and what a client says cannot break them', () => {
  const event: GatewayEvent = { level: 'INFO', message: 'connected', remote: 'a\r\nb\u001b[2J', ports: [1] };
  const time = new Date(0);
  expect(gatewayLogLine(event, time, { logLevel: 'WARNING', logFormat: 'json' })).toBeUndefined();
  expect(gatewayLogLine(event, time, { logLevel: 'INFO', logFormat: 'json' })).toBe(
    '{"time":"1970-01-01T00:00:00.000Z","level":"INFO","message":"connected","remote":"a\\r\\nb\\u001b[2J","ports":[1]}\n',
  );
  expect(gatewayLogLine(event, time, { logLevel: 'DEBUG', logFormat: 'text' })).toBe(
    '1970-01-01T00:00:00.000Z INFO connected remote=a b\\u001b[2J ports=[1]\n',
  );
});
