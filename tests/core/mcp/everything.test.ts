import { expect, test, vi } from 'vitest';

import type { CreateMessageRequestParams, ElicitRequestParams, ElicitResult } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, everything, never, program } from './connectedServer.ts';
import { fakeDeadlines } from './fakeDeadlines.ts';

const endpoint = program(everything);

test('with roots, sampling and elicitation declared there are four tools more', async () => {
  const connection = await connect(endpoint, {
    handlers: {
      elicit: () => Promise.resolve({ action: 'decline' }),
      sample: () => Promise.reject(new Error('not asked')),
      listRoots: () => Promise.resolve([]),
    },
  });
  await expect.poll(async () => (await connection.listTools(never)).tools.length).toBe(17);
});

test('a form is asked with its fields, and each answer goes back as it is', async () => {
  const asked: ElicitRequestParams[] = [];
  const answers: ElicitResult[] = [
    { action: 'accept', content: { name: 'Ada', check: true } },
    { action: 'decline' },
    { action: 'cancel' },
  ];
  const connection = await connect(endpoint, {
    handlers: {
      elicit(request) {
        asked.push(request);
        return Promise.resolve(answers[asked.length - 1] as ElicitResult);
      },
    },
  });
  const texts: string[] = [];
  while (texts.length < answers.length) {
    const { content } = await connection.callTool('trigger-elicitation-request', {}, callOptions());
    texts.push(JSON.stringify(content));
  }
  expect(texts[0]).toContain('Ada');
  expect(texts[1]).toMatch(/declined/i);
  expect(texts[2]).toMatch(/cancel/i);
  const form = asked[0] as { requestedSchema: { properties: Record<string, { type: string }> } };
  const types = Object.values(form.requestedSchema.properties).map(({ type }) => type);
  expect([...new Set(types)].sort()).toEqual(['array', 'boolean', 'integer', 'number', 'string']);
});

test('a URL is asked with the whole URL', async () => {
  const asked: ElicitRequestParams[] = [];
  const connection = await connect(endpoint, {
    handlers: {
      elicit(request) {
        asked.push(request);
        return Promise.resolve({ action: 'decline' });
      },
    },
  });
  const url = 'https://example.com/authorise?state=1&x=%20';
  const { tools } = await connection.listTools(never);
  const name = tools.find(({ name }) => name.includes('url-elicitation'))?.name ?? '';
  await connection.callTool(name, { url, message: 'Open it', elicitationId: 'e1' }, callOptions());
  expect(asked).toMatchObject([{ mode: 'url', url }]);
});

test('a message of a model is asked with the prompt', async () => {
  const asked: CreateMessageRequestParams[] = [];
  const connection = await connect(endpoint, {
    handlers: {
      sample(request) {
        asked.push(request);
        return Promise.resolve({
          role: 'assistant',
          model: 'scripted',
          content: { type: 'text', text: 'sampled text' },
        });
      },
    },
  });
  const { content } = await connection.callTool(
    'trigger-sampling-request',
    { prompt: 'Say it', maxTokens: 9 },
    callOptions(),
  );
  expect(JSON.stringify(asked[0]?.messages)).toContain('Say it');
  expect(JSON.stringify(content)).toContain('sampled text');
});

test('the time that the user needs for an answer does not count', async () => {
  const connection = await connect(endpoint, {
    handlers: {
      elicit() {
        vi.advanceTimersByTime(900);
        return Promise.resolve({ action: 'decline' });
      },
    },
  });
  fakeDeadlines();
  const options = callOptions({ timeoutMs: 600, maxTotalMs: 600 });
  expect((await connection.callTool('trigger-elicitation-request', {}, options)).isError).toBe(false);
});

test('prompts with arguments and completions', async () => {
  const connection = await connect(endpoint);
  const prompts = await connection.listPrompts(never);
  expect(prompts.length).toBeGreaterThan(2);
  const names = prompts.map(({ name }) => String(name));
  const withArguments = names.find((name) => name.includes('args')) ?? '';
  const prompt = await connection.getPrompt(withArguments, { city: 'Zürich', state: 'ZH' }, callOptions());
  expect(JSON.stringify(prompt['messages'])).toContain('Zürich');
  const completed = names.find((name) => name.includes('complet')) ?? '';
  const ref = { type: 'ref/prompt' as const, name: completed };
  const departments = await connection.complete(ref, { name: 'department', value: 'E' }, {}, never);
  expect(departments.values).toContain('Engineering');
  const known = { department: 'Engineering' };
  const people = await connection.complete(ref, { name: 'name', value: '' }, known, never);
  expect(people.values.length).toBeGreaterThan(0);
});

test('resources, templates and updates of a subscription', async () => {
  const connection = await connect(endpoint);
  const resources = await connection.listResources(never);
  expect(resources.length).toBeGreaterThan(0);
  const uri = String(resources[0]?.['uri']);
  const { contents } = await connection.readResource(uri, callOptions());
  expect(contents).toMatchObject([{ uri }]);
  const templates = await connection.listResourceTemplates(never);
  expect(templates.map(({ uriTemplate }) => String(uriTemplate))).toContainEqual(expect.stringContaining('{'));
  const updated: string[] = [];
  connection.onResourceUpdated((changed) => updated.push(changed));
  await connection.subscribe(uri, never);
  await connection.callTool('toggle-subscriber-updates', {}, callOptions());
  await expect.poll(() => updated).toContain(uri);
  await connection.unsubscribe(uri, never);
});

test('a prompt that does not exist is an error of the server', async () => {
  const connection = await connect(endpoint);
  await expect(connection.getPrompt('none', {}, callOptions())).rejects.toMatchObject({ code: 'rpc' });
});

test('log messages of the level and above, and none before it was set', async () => {
  const levels: string[] = [];
  const connection = await connect(endpoint, { handlers: { log: ({ level }) => void levels.push(level) } });
  // Each second call logs one message of a random level.
  const logSome = async (): Promise<void> => {
    for (let call = 0; call < 40; call += 1) await connection.callTool('toggle-simulated-logging', {}, callOptions());
  };
  await logSome();
  expect(levels).toEqual([]);
  await connection.setLogLevel('warning', never);
  await logSome();
  await expect.poll(() => levels.length).toBeGreaterThan(0);
  for (const below of ['debug', 'info', 'notice']) expect(levels).not.toContain(below);
});
