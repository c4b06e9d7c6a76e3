import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';

import { databasePath, openChatBench } from './chatBench.ts';
import { openLab } from './labBench.ts';
import { block, createTestModel, stall } from './testModel.ts';

/** Runs a script over the chats in another process, which then kills itself. */
async function inKilledProcess(path: string, script: string): Promise<void> {
  const sources = new URL('../../../../src-core/', import.meta.url).href;
  const head = `
    const { connectStore } = await import('${sources}store/connectStore.ts');
    const { openStore } = await import('${sources}store/openStore.ts');
    const tables = openStore({ path: ${JSON.stringify(path)}, onError: console.error });
    const { openChat } = await import('${sources}features/chat/service.ts');
    const { createToolRegistryManager } = await import('${sources}registry/toolRegistryManager.ts');
    const { defineToolRegistry } = await import('${sources}registry/defineTool.ts');
    const { createToolDiscoveryService } = await import('${sources}engine/discovery.ts');
    const { createProtocolRegistry } = await import('${sources}protocols/registry.ts');
    const { createVcpProtocol } = await import('${sources}protocols/vcp/vcpProtocol.ts');
    const { defaultToolCallConfig } = await import('${sources}base/calls.ts');
    const kill = () => process.kill(process.pid, 'SIGKILL');
    const toolRegistryManager = createToolRegistryManager();
    const inputSchema = { type: 'object' };
    const method = (name, handler) => ({ name, description: '', agentCallable: true, inputSchema, handler });
    toolRegistryManager.register(defineToolRegistry({
      id: 'lab', name: 'Lab', source: { kind: 'builtin', id: 'lab', label: 'Lab' },
      methods: [method('get', () => 'got'), method('kill', () => { kill(); return new Promise(() => {}); })],
    }));
    const protocols = createProtocolRegistry([createVcpProtocol()]);
    const discovery = createToolDiscoveryService({ toolRegistryManager, protocols });
    let generate = () => new Promise(() => {});
    const { service } = openChat({
      events: { emit() {} }, trash: connectStore(tables), toolRegistryManager, tools: { protocols, discovery },
      models: {
        modelOf: () => ({ name: 'Script', generate: (request) => generate(request) }), defaultId: () => 'test', protocolOf: () => undefined,
      },
      calls: {
        policy: () => ({ config: defaultToolCallConfig, toolTimeouts: {}, dangerousTools: [] }), follow: () => ({}),
      },
      onError(error) { console.error(error); },
    });
    const { id: sessionId } = service.create({});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', head + script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

describe('after kill -9', () => {
  test('a message that was acknowledged is there, and its turn shows as interrupted', async () => {
    const path = databasePath();
    await inKilledProcess(path, `service.send({ sessionId, text: 'Remember me' }); kill();`);
    const lab = openChatBench({ path, models: { test: createTestModel([]) } });
    const [chat] = lab.service.list();
    expect(chat).toMatchObject({ title: 'Remember me', running: false });
    expect(lab.entries(chat!.id)).toMatchObject([
      { role: 'user', text: 'Remember me' },
      { role: 'assistant', state: 'ended', stoppedBecause: 'interrupted' },
    ]);
    lab.service.resume({ sessionId: chat!.id });
    await lab.idle(chat!.id);
    expect(lab.steps(chat!.id).at(-1)).toMatchObject({ text: 'Done.' });
  });

  test('calls that had not ended are closed: one that had begun may have been done', async () => {
    const path = databasePath();
    const text = JSON.stringify(`${block('lab_get')}\n${block('lab_kill')}\n${block('lab_get', { a: '1' })}`);
    await inKilledProcess(
      path,
      `generate = async () => ({ text: ${text}, toolCalls: [], finishReason: 'stop' });
       service.send({ sessionId, text: 'Go' });`,
    );
    const lab = openChatBench({ path });
    const [chat] = lab.service.list();
    expect(lab.steps(chat!.id)).toMatchObject([{ state: 'ended', stoppedBecause: 'interrupted' }]);
    const [done, running, queued] = lab.calls(chat!.id);
    expect(done).toMatchObject({ state: 'done', result: { result: 'got' } });
    expect(running).toMatchObject({ state: 'cancelled', result: { error: { code: 'cancelled' } } });
    expect(running!.result!.result).toContain('It had already started and may have taken effect.');
    expect(queued!.result!.result).toBe('Toolwire ended before this call had a result. It did not run.');
    expect(queued!.result!.error!.details).toEqual({ ran: false });
    expect(running!.result!.error!.details).toBeUndefined();
  });

  test('a message without any step gets one that says so', async () => {
    const lab = openLab([stall()]);
    const chat = lab.chat();
    lab.store.chats.putEntry({ chatId: chat, id: 'e', record: '{"id":"e","role":"user","text":"Hi"}', updatedAt: 1 });
    const { record } = lab.store.chats.get(chat)!;
    lab.store.chats.put({ id: chat, updatedAt: 1, running: true, record });
    await lab.close();
    const again = openChatBench({ path: lab.path });
    expect(again.entries(chat)).toMatchObject([{ text: 'Hi' }, { role: 'assistant', stoppedBecause: 'interrupted' }]);
  });
});

describe('what a window asks for', () => {
  test('comes by page, newest last', async () => {
    const lab = openLab([]);
    const chat = lab.chat();
    for (const text of ['one', 'two', 'three']) await lab.turn(chat, text);
    const last = lab.service.get({ sessionId: chat, limit: 2 });
    expect(last.entries.map(({ position }) => position)).toEqual([5, 6]);
    expect(last).toMatchObject({ more: true, session: { entryCount: 6, title: 'one', waiting: 0 } });
    const before = lab.service.get({ sessionId: chat, limit: 4, before: 5 });
    expect(before.entries.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(before.more).toBe(false);
  });

  test('returns only what changed after a revision, complete over pages', async () => {
    const lab = openLab([{ text: block('lab_get') }]);
    const chat = lab.chat();
    const { revision } = lab.service.get({ sessionId: chat, limit: 10 });
    expect(lab.service.get({ sessionId: chat, limit: 10, afterRevision: revision }).entries).toEqual([]);
    await lab.turn(chat);
    const seen: string[] = [];
    for (let after = revision, more = true; more;) {
      const page = lab.service.get({ sessionId: chat, limit: 1, afterRevision: after });
      seen.push(...page.entries.map(({ id }) => id));
      after = page.revision;
      ({ more } = page);
    }
    expect(seen).toEqual(lab.entries(chat).map(({ id }) => id));
    lab.service.rename({ sessionId: chat, title: 'Named' });
    const renamed = lab.service.get({ sessionId: chat, limit: 10, afterRevision: lab.entries(chat).at(-1)!.revision });
    expect(renamed).toMatchObject({ entries: [], session: { title: 'Named' }, more: false });
  });

  test('has of a reply that comes only what is not known yet', async () => {
    const more = Promise.withResolvers<undefined>();
    const lab = openLab([
      async ({ onPart }) => {
        onPart?.({ type: 'reasoning', text: 'Hm' });
        onPart?.({ type: 'text', text: 'Once upon' });
        await more.promise;
        return { text: 'Once upon a time.', reasoning: 'Hm' };
      },
    ]);
    const chat = lab.chat();
    lab.service.send({ sessionId: chat, text: 'Tell' });
    const page = lab.service.get({ sessionId: chat, limit: 10 });
    expect(page.entries[1]).toMatchObject({ state: 'streaming', text: '' });
    const entryId = page.entries[1]!.id;
    expect(page.stream).toEqual({
      entryId,
      textFrom: 0,
      text: 'Once upon',
      reasoningFrom: 0,
      reasoning: 'Hm',
      toolCalls: [],
    });
    const known = { entryId, text: 4, reasoning: 2 };
    expect(lab.service.get({ sessionId: chat, limit: 10, known }).stream).toMatchObject({
      textFrom: 4,
      text: ' upon',
      reasoningFrom: 2,
      reasoning: '',
    });
    const other = { ...known, entryId: 'other' };
    expect(lab.service.get({ sessionId: chat, limit: 10, known: other }).stream).toMatchObject({ textFrom: 0 });
    more.resolve(undefined);
    await lab.idle(chat);
    const whole = lab.service.get({ sessionId: chat, limit: 10, afterRevision: page.revision, known });
    expect(whole.stream).toBeUndefined();
    expect(whole.entries).toMatchObject([{ text: 'Once upon a time.', reasoning: 'Hm', state: 'ended' }]);
  });
});

test('the request of a step can be seen while the model works, and by whoever opens the chat later', async () => {
  const lab = openLab([stall()]);
  const chat = lab.chat({ protocol: 'native' });
  const { entryId } = lab.service.send({ sessionId: chat, text: 'Hello' });
  const [step] = lab.steps(chat);
  expect(lab.service.exchange({ id: step!.stepId! })).toMatchObject({
    sessionId: chat,
    entryId: step!.id,
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [{ name: 'lab_set' }, { name: 'lab_get' }, { name: 'lab_fail' }],
  });
  expect(lab.entries(chat)[0]!.id).toBe(entryId);
  expect(() => lab.service.exchange({ id: 'gone' })).toThrow('only those of the newest 200 steps');
});

test('tokens of the prompt are told by part, and of the reply', async () => {
  const lab = openLab([{ text: `Setting.\n${block('lab_set', { volume: '5' })}` }, { text: 'Done.' }]);
  const chat = lab.chat({ systemPrompt: 'You are a lamp.' });
  await lab.turn(chat, 'Please set the volume to five');
  const [first, second] = lab.steps(chat);
  expect(first!.promptTokens).toMatchObject({ history: 0, system: 5 });
  expect(first!.promptTokens.tools).toBeGreaterThan(100);
  expect(first!.promptTokens.message).toBeGreaterThan(4);
  expect(second!.promptTokens.history).toBeGreaterThan(first!.promptTokens.message);
  for (const { promptTokens, replyTokens } of [first!, second!]) {
    const { system, tools, history, message, total } = promptTokens;
    expect(total).toBe(system + tools + history + message);
    expect(replyTokens).toBeGreaterThan(0);
  }
});

test('what would be sent next can be seen before it is', async () => {
  const lab = openLab([]);
  const chat = lab.chat({ systemPrompt: 'Brief.' });
  await lab.turn(chat, 'One');
  const preview = lab.service.prompt({ sessionId: chat, text: 'Two' });
  await lab.turn(chat, 'Two');
  expect(preview.messages).toEqual(lab.model.requests[1]!.messages);
  expect(preview.tokens).toEqual(lab.steps(chat)[1]!.promptTokens);
  expect(lab.service.prompt({ sessionId: chat }).messages.at(-1)).toMatchObject({ role: 'assistant' });
  lab.service.updateOptions({ sessionId: chat, options: { protocol: 'native' } });
  expect(lab.service.prompt({ sessionId: chat, text: 'Three' }).tools).toHaveLength(3);
});

test('the title is taken from the first message, unless the user has set one', async () => {
  const lab = openLab([]);
  const [one, two] = [lab.chat(), lab.service.create({ title: 'Mine' }).id];
  await lab.turn(one, `\n  ${'word '.repeat(40)}\nmore`);
  await lab.turn(two, 'Hello');
  const titles = new Map(lab.service.list().map(({ id, title }) => [id, title]));
  expect(titles.get(one)).toMatch(/^word (word )+.*…$/);
  expect(titles.get(one)!.length).toBeLessThanOrEqual(60);
  expect(titles.get(two)).toBe('Mine');
});
