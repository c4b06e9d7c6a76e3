/** Regular expressions and JSON paths that take very long, in everything of others that may hold one. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';

import { listTools } from '../../src-core/rpc/listTools.ts';
import type { CallReport } from '../../src-core/contract/types.ts';
import { collectionWith } from '../core/features/collections/folders.ts';
import { connectHostileDevice, type HostileDevice } from './hostileDevice.ts';
import { startProduct, type Product } from './product.ts';

/** Each takes the engine of V8 longer than anyone waits, on a text of 61 characters. */
const patterns: Record<string, { pattern: string; text: string }> = {
  nested: { pattern: '^(a+)+$', text: `${'a'.repeat(60)}!` },
  alternatives: { pattern: '^(a|a)*$', text: `${'a'.repeat(60)}!` },
  backreference: { pattern: '^(a*)*\\1$', text: `${'a'.repeat(60)}!` },
};
const schemaOf = (pattern: string): object => ({ type: 'object', properties: { p: { type: 'string', pattern } } });
const listed = Object.entries(patterns).map(([name, { pattern }]) => ({ name, inputSchema: schemaOf(pattern) }));
const { pattern: nested, text: nestedText } = patterns['nested']!;
const answer = {
  name: 'answer',
  inputSchema: { type: 'object' },
  outputSchema: schemaOf(nested),
  result: { content: [], structuredContent: { p: nestedText }, isError: false },
};

const moduleSource = `const methods = {};
for (const { name, inputSchema } of ${JSON.stringify(listed)})
  methods[name] = { description: 'x', inputSchema, handler: () => 'called' };
const { outputSchema, result } = ${JSON.stringify(answer)};
methods.answer = { description: 'x', outputSchema, handler: () => result.structuredContent };
let deep = 0;
for (let level = 0; level < 150; level += 1) deep = { a: [1, 2, 3], b: deep };
methods.deep = { description: 'x', handler: () => deep };
export default { methods };
`;

let dataDir: string;
let product: Product;
let device: HostileDevice;
let client: WebSocket;
/** Messages that the gateway sent to its client. */
const toClient: string[] = [];
/** By the kind of the source and the method: what the method is called by. */
const qualified = new Map<string, string>();

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-patterns-'));
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'hostile.js'), moduleSource);
  product = await startProduct({ dataDir });
  const { gateway, tools } = product.client;
  const facts = { id: '02:00:00:00:00:67', tools: [...listed, answer] };
  device = await connectHostileDevice(product.served.device.webSocketUrl, facts);

  await gateway.configure({ settings: { port: 0 } });
  const { port } = await gateway.setEnabled({ enabled: true });
  client = new WebSocket(`ws://127.0.0.1:${port}/`);
  client.on('message', (data: Buffer) => toClient.push(data.toString()));
  await once(client, 'open');
  const offered = listed.map(({ name, inputSchema }) => ({ name, description: 'x', parameters: inputSchema }));
  client.send(JSON.stringify({ type: 'register_tools', tools: offered }));

  await vi.waitFor(async () => {
    for (const { source, methods } of await listTools({ tools }))
      for (const { name, qualifiedName } of methods) qualified.set(`${source.kind} ${name}`, qualifiedName);
    for (const kind of ['module', 'device', 'gateway'])
      expect([...qualified.keys()]).toContain(`${kind} backreference`);
  });
});

afterAll(async () => {
  client.terminate();
  device.socket.terminate();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
});

/** Threads of the product's process, where the system tells. */
const threads = (): number => (process.platform === 'linux' ? readdirSync(`/proc/${product.pid}/task`).length : 0);

let before: { threads: number; heap: number };
beforeEach(async () => {
  before = { threads: threads(), heap: (await product.inspector.memory()).heap };
});
/** A thread that still matched a pattern would not end for years. */
afterEach(async () => {
  await expect.poll(threads).toBeLessThanOrEqual(before.threads);
  expect((await product.inspector.memory()).heap - before.heap).toBeLessThan(20);
});

const execute = (kind: string, method: string, args: object) =>
  product.client.calls.execute({
    callId: randomUUID(),
    toolName: qualified.get(`${kind} ${method}`) ?? '',
    argsJson: JSON.stringify(args),
    origin: 'executor',
    timeoutMs: 60_000,
  });

/** Runs an attack, and 10 requests one after another. Returns its outcome and how many were answered before it. */
async function besieged<T>(attack: Promise<T>): Promise<{ outcome: T; answered: number }> {
  let isOver = false;
  const ended = attack.finally(() => (isOver = true));
  let answered = 0;
  for (let request = 0; request < 10; request += 1) {
    await product.client.settings.get();
    if (!isOver) answered += 1;
  }
  return { outcome: await ended, answered };
}

// The process that checks takes its whole limit of 2 s for each: each pattern comes from one source.
test.each([
  ['module', 'nested'],
  ['device', 'alternatives'],
  ['gateway', 'backreference'],
])(
  'an inputSchema of a %s: the call is refused with the remedy, and others are served meanwhile',
  async (kind, name) => {
    const { outcome, answered } = await besieged(execute(kind, name, { p: patterns[name]?.text }));
    expect(answered).toBe(10);
    expect(outcome.error?.code).toBe('invalid-arguments');
    expect(outcome.error?.message).toMatch(
      /was not called\. The arguments were not checked against the inputSchema: .*Send less/,
    );
    expect(device.called).toEqual([]);
    expect(toClient.filter((text) => text.includes('tool_callback'))).toEqual([]);
    const plain = await execute(kind, 'nested', { p: 'b' });
    expect(plain.error?.issues).toEqual([expect.objectContaining({ parameter: 'p' })]);
  },
  120_000,
);

test('an outputSchema of a device: the result is marked as not checked, and others are served meanwhile', async () => {
  const { outcome, answered } = await besieged(execute('device', 'answer', {}));
  expect(answered).toBe(10);
  expect(outcome.status).toBe('success');
  expect(outcome.outputUnchecked).toContain('was not checked against the outputSchema');
  expect(outcome.outputIssues).toBeUndefined();
}, 120_000);

async function runCollection(calls: Record<string, object>): Promise<CallReport[]> {
  const { collections } = product.client;
  const folder = collectionWith(calls);
  await collections.open({ folder });
  try {
    const reports: CallReport[] = [];
    for await (const report of await collections.run({ runId: randomUUID(), folder }))
      if (!('over' in report)) reports.push(report);
    return reports;
  } finally {
    await collections.close({ folder });
  }
}

const methodOf = (name: string): string => qualified.get(`module ${name}`) ?? '';

test('a collection whose assertions and paths hold a pattern: each fails with its reason', async () => {
  const assertions = [
    { check: 'path', path: '$.p', op: 'matches', value: nested },
    { check: 'path', path: `$[?search(@, '${nested}')]`, op: 'exists' },
    { check: 'schema', schema: schemaOf(nested) },
    { check: 'path', path: '$.p', op: 'contains', value: 'aaa' },
  ];
  const attack = runCollection({
    one: { tool: methodOf('answer'), assertions },
    two: { tool: 'clock_get_time' },
  });
  const { outcome, answered } = await besieged(attack);
  expect(answered).toBe(10);
  const [, ...checks] = outcome[0]?.checks ?? [];
  expect(checks.map(({ reason, outcome: passed }) => reason ?? passed)).toEqual([
    ...['cannot-check', 'cannot-check', 'cannot-check'],
    'passed',
  ]);
  for (const { message } of checks.slice(0, 3)) expect(message).toMatch(/(takes|took) more than \d+ ms/);
  expect(outcome[1]?.verdict).toBe('passed');
}, 120_000);

test('paths of a collection that visit everything many times end, and those of one call end together', async () => {
  const everything = { check: 'path', path: '$..*..*..*..*', op: 'notEquals', value: 'nowhere' };
  const attack = runCollection({
    one: { tool: methodOf('deep'), assertions: Array<object>(12).fill(everything) },
    two: { tool: methodOf('deep'), extract: { v: '$[?count($..*..*..*) == 1]' } },
    three: { tool: 'clock_get_time' },
  });
  const { outcome, answered } = await besieged(attack);
  expect(answered).toBe(10);
  expect(outcome.map(({ verdict }) => verdict)).toEqual(['failed', 'failed', 'passed']);
  const [first, second] = outcome;
  expect(first?.checks).toHaveLength(13);
  expect(first?.checks.at(-1)?.message).toContain('The checks of this call took more than');
  expect(second).toMatchObject({ trouble: 'extract', message: expect.stringContaining('ms of processor time') });
}, 120_000);

test('paths of 2,000 characters are compiled whatever they repeat, and each says what is wrong with it', async () => {
  const units = ['(', '[?(', '[?@', '[?match(', '&&', '[?@[?', '!', '[::', '\n'];
  for (const unit of units) {
    const { problem } = await product.client.collections.checkPath({ path: `$${unit.repeat(2_000)}`.slice(0, 2_000) });
    expect(problem, unit).toMatch(/\w/);
  }
});
