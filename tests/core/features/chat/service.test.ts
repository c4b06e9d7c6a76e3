import { MessageChannel } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';

import { contract } from '../../../../src-core/contract/contract.ts';
import { createRouter } from '../../../../src-core/rpc/router.ts';
import { createContractServer } from '../../../../src-core/rpc/serveWire.ts';
import { createPortClient } from '../../../../src-core/rpc/client.ts';
import type { Client } from '../../../../src-core/rpc/client.ts';
import { portWire } from '../../../../src-core/rpc/portWire.ts';
import type { ChatAssistantEntry, ChatPage, ChatProtocol } from '../../../../src-core/contract/types.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { startScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';
import type { ScriptedChatServer, ScriptedChatServerOptions } from '../../../fakes/scriptedChatServer.ts';
import { exportedFile, inPieces } from '../../../helpers/chatFileText.ts';
import { addDevice, dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';

interface Window {
  workbench: Workbench;
  client: Client;
}

/** A workbench, and a window on it over the contract. */
async function openWindow(dataDir = dataFolder()): Promise<Window> {
  const workbench = await openWorkbench({ dataDir });
  const { port1, port2 } = new MessageChannel();
  workbench.contract.serve(portWire(port1));
  onTestFinished(() => port2.close());
  return { workbench, client: createPortClient(port2) };
}

/** Looks at a chat after each event, as a window does, until it is as it should be. */
async function seen({ client }: Window, sessionId: string, isThere: (page: ChatPage) => boolean): Promise<ChatPage> {
  const controller = new AbortController();
  try {
    for await (const { topics } of await client.workbench.events(undefined, { signal: controller.signal })) {
      if (!topics.includes('chats')) continue;
      const page = await client.chat.get({ sessionId, limit: 100 });
      if (isThere(page)) return page;
    }
  } finally {
    controller.abort();
  }
  throw new Error('The events ended.');
}

const ended = (window: Window, sessionId: string): Promise<ChatPage> =>
  seen(window, sessionId, ({ session }) => !session.running && session.entryCount > 1);

const steps = ({ entries }: ChatPage): ChatAssistantEntry[] => entries.filter((entry) => entry.role === 'assistant');

async function serveModel(options: ScriptedChatServerOptions): Promise<ScriptedChatServer> {
  const server = await startScriptedChatServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** Sets a model up that is asked over HTTP. */
async function addModel({ client }: Window, { baseUrl }: ScriptedChatServer, key?: string): Promise<string> {
  const { id } = await client.models.save({
    kind: 'openai-compatible',
    label: 'Stand-in',
    preset: 'custom',
    baseUrl,
    model: 'stand-in',
    stream: true,
    totalMs: 60_000,
    chunkMs: 60_000,
  });
  if (key !== undefined) await client.models.setKey({ id, key });
  return id;
}

describe('the prompt that Discovery shows', () => {
  /** The part of a request that offers tools, as it reached the model's server. */
  async function sentTools(window: Window, protocol: ChatProtocol | undefined): Promise<Sent> {
    const server = await serveModel({ turns: [{ text: 'Done.' }] });
    const modelId = await addModel(window, server);
    const options = { modelId, ...(protocol && { protocol }) };
    const { id: sessionId } = await window.client.chat.create({ options });
    await window.client.chat.send({ sessionId, text: 'Hello' });
    const { body } = await server.chat(0);
    const page = await window.client.chat.get({ sessionId, limit: 10 });
    const system = body.messages.filter(({ role }) => role === 'system').map(({ content }) => content);
    return { system, tools: body.tools?.map((tool) => tool.function) ?? [], page };
  }
  interface Sent {
    system: unknown[];
    tools: { name: string; description: string; parameters: object }[];
    page: ChatPage;
  }
  const byHand = defineToolRegistry({
    id: 'lab',
    name: 'Lab',
    source: { kind: 'builtin', id: 'lab', label: 'Lab' },
    methods: ['mix', 'wipe'].map((name) => ({
      name,
      description: `Does ${name}`,
      agentCallable: name === 'mix',
      inputSchema: { type: 'object' },
      handler: () => name,
    })),
  });

  test.each(['vcp', 'json', 'native', undefined] as const)('is what a chat sends (%s)', async (protocol) => {
    const window = await openWindow();
    window.workbench.toolRegistryManager.register(byHand);
    const { toolCallConfig } = await window.client.settings.get();
    await window.client.settings.set({
      toolCallConfig: { ...toolCallConfig, toolToggles: { 'directory-tree': false } },
    });
    const prompt = await window.client.tools.prompt({ protocol });
    const sent = await sentTools(window, protocol);
    expect(prompt.protocol).toBe(protocol ?? 'vcp');
    if (protocol === 'native') {
      expect(sent).toMatchObject({ system: [], tools: prompt.tools });
      expect(prompt.tools.map(({ name }) => name)).toEqual(['clock_get_time', 'clock_get_date', 'lab_mix']);
    } else {
      expect(sent).toMatchObject({ system: [prompt.text], tools: [] });
      expect(prompt.text).toContain('mix');
      expect(prompt.text).not.toMatch(/wipe|directory-tree/);
    }
    expect(prompt.tokens).toBe(steps(sent.page)[0]?.promptTokens.tools);
    expect(prompt.byTool.map(({ toolId, methods }) => [toolId, methods])).toEqual([
      ['clock', 2],
      ['lab', 1],
    ]);
    const sum = prompt.byTool.reduce((all, { tokens }) => all + tokens, 0);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(prompt.tokens);
  });

  test('is empty while calling is off or no tool is on', async () => {
    const window = await openWindow();
    const { toolCallConfig } = await window.client.settings.get();
    for (const off of [{ enabled: false }, { defaultToolEnabled: false }]) {
      await window.client.settings.set({ toolCallConfig: { ...toolCallConfig, ...off } });
      for (const protocol of ['vcp', 'json', 'native'] as const) {
        const prompt = await window.client.tools.prompt({ protocol });
        expect(prompt).toEqual({ protocol, text: '', tools: [], tokens: 0, byTool: [] });
      }
    }
  });

  test('names the protocol that does not exist', async () => {
    const window = await openWindow();
    const wrong = { protocol: 'xml' as 'vcp' };
    await expect(window.client.tools.prompt(wrong)).rejects.toThrow();
  });
});

describe('a new installation', () => {
  test.each(['vcp', 'json', 'native'] as const)('runs the whole loop without a network, in %s', async (protocol) => {
    const window = await openWindow();
    const { id: sessionId } = await window.client.chat.create({ options: { protocol } });
    await window.client.chat.send({ sessionId, text: 'What time is it?' });
    const page = await ended(window, sessionId);
    const [asking, telling] = steps(page);
    expect(asking).toMatchObject({
      protocol,
      modelName: 'Scripted model',
      calls: [{ toolId: 'clock', state: 'done' }],
    });
    expect(telling).toMatchObject({ calls: [], stoppedBecause: 'done' });
    expect(telling!.text).toMatch(/^The tool answered: .*\d\d:\d\d/s);
    const [call] = await window.client.calls.history({ limit: 10 });
    expect(call).toMatchObject({ origin: 'model', qualifiedName: 'clock_get_time', callId: asking!.calls[0]!.callId });
  });

  test('takes its options from the settings', async () => {
    const { client } = await openWindow();
    const { toolCallConfig } = await client.settings.get();
    await client.settings.set({ toolCallConfig: { ...toolCallConfig, mode: 'manual', protocol: 'json' } });
    const chat = await client.chat.create({ title: '  Mine ', options: { config: { maxRepeats: 0 } } });
    expect(chat).toMatchObject({
      title: 'Mine',
      running: false,
      waiting: 0,
      entryCount: 0,
      approved: [],
      options: { mode: 'manual', protocol: 'json', systemPrompt: '', config: { maxRepeats: 0 } },
    });
    expect(await client.chat.list()).toEqual([chat]);
  });
});

describe('a model behind a server', () => {
  test('streams, calls several tools at once, and its key stays out of what is kept', async () => {
    const key = 'sk-live-0123456789abcdef';
    const server = await serveModel({
      apiKey: key,
      turns: [
        {
          text: 'Both.',
          sameIndex: true,
          toolCalls: [{ name: 'clock_get_time' }, { name: 'clock_get_date', arguments: '{"broken' }],
          usage: { prompt_tokens: 120, completion_tokens: 30 },
        },
        { text: 'There.' },
      ],
    });
    const window = await openWindow();
    const modelId = await addModel(window, server, key);
    const { id: sessionId } = await window.client.chat.create({ options: { modelId, protocol: 'native' } });
    await window.client.chat.send({ sessionId, text: 'Time and date?' });
    const page = await ended(window, sessionId);
    const [first, second] = steps(page);
    expect(first).toMatchObject({
      usage: { inputTokens: 120, outputTokens: 30 },
      calls: [{ result: { status: 'success' } }, { result: { error: { code: 'invalid-arguments' } } }],
    });
    expect(second).toMatchObject({ text: 'There.', stoppedBecause: 'done' });
    expect(server.chats[1]!.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    const step = await window.client.chat.exchange({ id: first!.stepId! });
    expect(step.exchange).toMatchObject({ request: { method: 'POST' }, response: { status: 200 } });
    expect(step.messages).toEqual([{ role: 'user', content: 'Time and date?' }]);
    expect(step.tools.map(({ name }) => name)).toContain('clock_get_time');
    const file = await exportedFile(await window.client.chat.exportChat({ sessionId }));
    expect(JSON.stringify([step, page, file])).not.toContain(key);
  });

  test.each([
    ['stall-after-headers', undefined],
    ['stall-mid-stream', 'Once'],
  ] as const)('that stalls (%s) is stopped by hand', async (fault, text) => {
    const server = await serveModel({ turns: [{ text: 'Once upon a time', fault }] });
    const window = await openWindow();
    const modelId = await addModel(window, server);
    const { id: sessionId } = await window.client.chat.create({ options: { modelId } });
    await window.client.chat.send({ sessionId, text: 'Tell' });
    const request = await server.chat(0);
    if (text !== undefined) await seen(window, sessionId, ({ stream }) => stream?.text.startsWith(text) === true);
    expect(await window.client.chat.cancel({ sessionId })).toEqual({ cancelled: true });
    expect(await request.closed).toBe('hung up');
    expect(steps(await ended(window, sessionId))).toMatchObject([
      { stoppedBecause: 'cancelled', text: expect.stringContaining(text ?? '') },
    ]);
    expect(await window.client.chat.cancel({ sessionId })).toEqual({ cancelled: false });
  });

  test.each([
    ['html', 'answer'],
    ['error-mid-stream', 'stream'],
    ['cut-mid-stream', undefined],
    ['empty-choices', 'answer'],
  ] as const)('that fails (%s) ends the turn and says why; the next turn works', async (fault, code) => {
    const server = await serveModel({ turns: [{ text: 'Well', fault }, { text: 'Here.' }] });
    const window = await openWindow();
    const modelId = await addModel(window, server);
    const { id: sessionId } = await window.client.chat.create({ options: { modelId } });
    await window.client.chat.send({ sessionId, text: 'Tell' });
    const [failed] = steps(await ended(window, sessionId));
    expect(failed).toMatchObject({ stoppedBecause: 'error', failure: { message: expect.any(String) } });
    if (code !== undefined) expect(failed!.failure!.code).toBe(code);
    await window.client.chat.resume({ sessionId });
    const page = await seen(window, sessionId, ({ entries, session }) => !session.running && entries.length === 3);
    expect(steps(page).at(-1)).toMatchObject({ text: 'Here.', stoppedBecause: 'done' });
  });
});

test('a call that can do harm to a device waits in the chat, whatever the mode', async () => {
  const window = await openWindow();
  const { workbench, client } = window;
  const device = await addDevice(workbench);
  const name = 'self.audio_speaker.set_volume';
  await client.settings.set({ dangerousTools: [`*${name}`] });
  const server = await serveModel({
    turns: ({ tools = [] }, index) =>
      index === 0
        ? {
            toolCalls: [
              {
                name: tools.find(({ function: { name } }) => name.includes('set_volume'))!.function.name,
                arguments: { volume: 90 },
              },
            ],
          }
        : { text: 'Louder.' },
  });
  const modelId = await addModel(window, server);
  const { id: sessionId } = await client.chat.create({ options: { modelId, protocol: 'native' } });
  await client.chat.send({ sessionId, text: 'Louder' });
  const asking = await seen(window, sessionId, ({ session }) => session.waiting === 1);
  expect(await client.chat.list()).toMatchObject([{ running: true, waiting: 1 }]);
  const [call] = steps(asking)[0]!.calls;
  expect(call).toMatchObject({
    state: 'waiting',
    qualifiedName: `${device.registryId}_${name}`,
    argsJson: '{"volume":90}',
  });
  expect(call!.danger).toContain('on your list of tools that ask first');
  await expect(
    client.chat.decide({ sessionId, callId: call!.id, decision: { action: 'approve', argsJson: '{"volume":900}' } }),
  ).rejects.toMatchObject({ data: { code: 'invalid-arguments', issues: [{ parameter: 'volume' }] } });
  const decision = { action: 'approve', argsJson: '{"volume":20}' } as const;
  await client.chat.decide({ sessionId, callId: call!.id, decision });
  const [first] = steps(await ended(window, sessionId));
  expect(first!.calls).toMatchObject([
    { state: 'done', edited: true, argsJson: '{"volume":20}', result: { status: 'success' } },
  ]);
  const { rows } = await client.frames.page({ source: 'device', connection: device.id, limit: 1_000 });
  expect(rows.some(({ callId }) => callId === first!.calls[0]!.callId)).toBe(true);
});

test('a window may go while a turn runs, and the workbench may close: nothing is left open', async () => {
  const dataDir = dataFolder();
  const server = await serveModel({ turns: [{ text: 'Once upon', fault: 'stall-mid-stream' }] });
  const window = await openWindow(dataDir);
  const modelId = await addModel(window, server);
  const { id: sessionId } = await window.client.chat.create({ options: { modelId } });
  const { entryId } = await window.client.chat.send({ sessionId, text: 'Tell' });
  await seen(window, sessionId, ({ stream }) => stream !== undefined && stream.text !== '');
  await window.workbench.close();
  const again = await openWindow(dataDir);
  const page = await again.client.chat.get({ sessionId, limit: 10 });
  expect(page.entries).toMatchObject([
    { id: entryId, text: 'Tell' },
    { state: 'ended', stoppedBecause: 'interrupted', text: expect.stringMatching(/^Once/) },
  ]);
  expect(page.session.running).toBe(false);
});

test('a chat is renamed, run again, exported, imported, deleted', async () => {
  const window = await openWindow();
  const { client } = window;
  const { id: sessionId } = await client.chat.create({});
  const { entryId } = await client.chat.send({ sessionId, text: 'What time is it?' });
  await ended(window, sessionId);
  await client.chat.rename({ sessionId, title: 'Clocks' });
  const rerun = await client.chat.rerun({ sessionId, entryId, protocol: 'native' });
  await ended(window, rerun.sessionId);
  expect(await client.chat.get({ sessionId: rerun.sessionId, limit: 10 })).toMatchObject({
    session: { title: 'Clocks', origin: { sessionId, entryId }, options: { protocol: 'native' } },
    entries: [{ id: entryId }, { protocol: 'native' }, { stoppedBecause: 'done' }],
  });
  const { text, fileName } = await exportedFile(await client.chat.exportChat({ sessionId }));
  expect(fileName).toBe('Clocks.toolwire-chat.json');
  const imported = await client.chat.importChat(inPieces(text, 100));
  expect((await client.chat.list()).map(({ title }) => title)).toEqual(['Clocks', 'Clocks', 'Clocks']);
  await client.chat.remove({ sessionId });
  await client.chat.remove(imported);
  expect((await client.chat.list()).map(({ id }) => id)).toEqual([rerun.sessionId]);
});

test('a file whose window goes half-way makes no chat', async () => {
  const workbench = await openWorkbench({});
  const { port1, port2 } = new MessageChannel();
  const sent = Promise.withResolvers<undefined>();
  async function* pieces(): AsyncGenerator<string, void, void> {
    yield '{"format":';
    sent.resolve(undefined);
    await new Promise(() => undefined);
  }
  const taken = Promise.withResolvers<{ outcome: Promise<unknown> }>();
  const { chat } = workbench.services;
  const importChat: typeof chat.importChat = (...input) => {
    const imported = chat.importChat(...input);
    taken.resolve({ outcome: imported.catch((error: unknown) => error) });
    return imported;
  };
  const router = createRouter(contract, { ...workbench.services, chat: { ...chat, importChat } });
  const server = createContractServer({ router, onError: () => undefined });
  onTestFinished(() => server.close());
  server.serve(portWire(port1));
  createPortClient(port2)
    .chat.importChat(pieces())
    .catch(() => undefined);
  await sent.promise;
  const { outcome } = await taken.promise;
  port2.close();
  expect(await outcome).toBeInstanceOf(Error);
  expect(chat.list()).toEqual([]);
});

describe('input that cannot be', () => {
  test('is refused, and the field is named', async () => {
    const { client } = await openWindow();
    const { id: sessionId } = await client.chat.create({});
    const refused = (request: Promise<unknown>, field: string): Promise<void> =>
      expect(request).rejects.toMatchObject({ data: { field } });
    await refused(client.chat.send({ sessionId, text: ' \n ' }), 'text');
    await refused(client.chat.send({ sessionId: 'gone', text: 'Hi' }), 'sessionId');
    await refused(client.chat.get({ sessionId, limit: 0 }), 'limit');
    await refused(client.chat.get({ sessionId: 'gone', limit: 1 }), 'sessionId');
    await refused(client.chat.resume({ sessionId }), 'sessionId');
    await refused(client.chat.decide({ sessionId, callId: 'x', decision: { action: 'approve' } }), 'callId');
    await refused(client.chat.rerun({ sessionId, entryId: 'x' }), 'entryId');
    await refused(client.chat.rename({ sessionId, title: 'x'.repeat(201) }), 'title');
    await refused(client.chat.remove({ sessionId: 'gone' }), 'sessionId');
    await refused(client.chat.exchange({ id: 'gone' }), 'id');
    await refused(client.chat.importChat(inPieces('{}')), 'format');
    const config = { maxIterations: 1_000 };
    await refused(client.chat.updateOptions({ sessionId, options: { config } }), 'options.config.maxIterations');
    await refused(client.chat.create({ options: { temperature: 3 } }), 'options.temperature');
    await client.chat.updateOptions({ sessionId, options: { modelId: 'gone' } });
    await expect(client.chat.send({ sessionId, text: 'Hi' })).rejects.toThrow('This model no longer exists.');
    expect((await client.chat.get({ sessionId, limit: 1 })).entries).toEqual([]);
  });
});
