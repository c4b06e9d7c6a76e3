/** Texts of 1 MB that the Parser reads and a model writes, made of whatever has the most parts. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import type { ChatAssistantEntry } from '../../src-core/contract/chat.ts';
import type { ChatServerTurn } from '../fakes/chatServerTurn.ts';
import { startScriptedChatServer } from '../fakes/scriptedChatServer.ts';
import { inPieces } from '../helpers/chatFileText.ts';
import { hostileTexts } from '../helpers/hostileTexts.ts';
import { largeChatFiles } from '../helpers/largeChatFiles.ts';
import { startProduct, type Product } from './product.ts';
import { collectRun } from '../core/workbench/runText.ts';

const texts = hostileTexts(1_000_000);
/** Bytes of JSON that a report of any text may have. */
const maxReport = 3_000_000;
/** Between two requests: without a pause, asking takes as much time as what is asked about. */
const pollMs = 10;

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

/** How many other requests are answered, one after the other, while one is. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  let answered = 0;
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    await product.client.settings.get();
    if (!isOver) answered += 1;
    await sleep(pollMs);
  }
  await over;
  return answered;
}

describe.each(texts)('the Parser with %s', (_what, text) => {
  test('answers others meanwhile, with a report that is bounded and counts the rest', async () => {
    const parsing = product.client.parser.parse({ text });
    expect(await answeredDuring(parsing)).toBeGreaterThan(0);
    const report = await parsing;
    expect(JSON.stringify(report).length).toBeLessThan(maxReport);
    expect(report.length).toBe(text.length);
    const isWhole = report.regions.at(-1)?.end === text.length;
    expect((report.omitted?.regions ?? 0) > 0).toBe(!isWhole);
  });

  test('runs at most 500 of its calls, and counts the rest', async () => {
    const cycle = await collectRun(product.client.parser.run({ runId: randomUUID(), text }));
    expect(cycle.executionResults.length).toBeLessThanOrEqual(500);
    expect(JSON.stringify(cycle).length).toBeLessThan(maxReport);
    if (cycle.feedback.includes('were too many and were not run'))
      expect([0, 500]).toContain(cycle.executionResults.length);
  });
});

/** The first entry of a chat whose model answers so. */
async function chatWith(protocol: 'vcp' | 'json' | 'native', turn: ChatServerTurn): Promise<ChatAssistantEntry> {
  const { client } = product;
  const server = await startScriptedChatServer({ turns: [turn, { text: 'done' }] });
  onTestFinished(() => server.close());
  const { id: modelId } = await client.models.save({
    kind: 'openai-compatible',
    label: 'Hostile',
    preset: 'custom',
    baseUrl: server.baseUrl,
    model: 'hostile',
    stream: false,
    totalMs: 60_000,
    chunkMs: 60_000,
  });
  const { id: sessionId } = await client.chat.create({ options: { modelId, protocol, mode: 'auto' } });
  await client.chat.send({ sessionId, text: 'Go.' });
  while ((await client.chat.list()).some(({ running }) => running)) await sleep(pollMs);
  const { entries } = await client.chat.get({ sessionId, limit: 10 });
  const reply = entries.find((entry): entry is ChatAssistantEntry => entry.role === 'assistant');
  if (reply === undefined) throw new Error('The chat has no reply.');
  return reply;
}

/** The texts that a chat in VCP reads; the others are read in JSON. How long each takes is measured in tests/fuzz and tests/core/protocols. */
const inVcp = ['opened calls', 'code fences', 'less-than signs', 'VCP calls', 'fields of one call'];

describe.each(['vcp', 'json'] as const)('a chat in %s', (protocol) => {
  const read = texts.filter(([what]) => inVcp.includes(what) === (protocol === 'vcp'));
  test.each(read)('keeps a reply of %s to the character, with bounded calls and remarks', async (_what, text) => {
    const entry = await chatWith(protocol, { text });
    expect(entry.state).toBe('ended');
    expect(entry.failure).toBeUndefined();
    expect(entry.raw ?? entry.text).toBe(text);
    expect(entry.calls.length).toBeLessThanOrEqual(100);
    if ((entry.skippedCalls ?? 0) > 0 && entry.calls.length > 0) expect(entry.calls).toHaveLength(100);
    expect(entry.remarks?.length ?? 0).toBeLessThanOrEqual(100);
    if ((entry.skippedRemarks ?? 0) > 0) expect(entry.remarks).toHaveLength(100);
    expect(JSON.stringify({ ...entry, raw: '', text: '', reasoning: '', withoutReasoning: '' }).length).toBeLessThan(
      100_000,
    );
  });
});

// How long the largest files take is measured in tests/bench.
describe.each(largeChatFiles(5_000_000))("a chat's file of %s", (_what, text, isRefused) => {
  test('is read while others are answered', { timeout: 120_000 }, async () => {
    const { chat } = product.client;
    const imported = chat.importChat(inPieces(text)).catch((error: unknown) => error);
    expect(await answeredDuring(imported)).toBeGreaterThan(0);
    const outcome = await imported;
    expect(outcome instanceof Error).toBe(isRefused);
    if (isRefused) expect((outcome as Error).message).toContain('The chat cannot be imported. ');
    const chats = (await chat.list()).filter(({ title }) => title === 'Large');
    expect(chats).toHaveLength(isRefused ? 0 : 1);
    for (const { id: sessionId } of chats) {
      const page = await chat.get({ sessionId, limit: 500 });
      expect(JSON.stringify(page).length).toBeLessThan(4_000_000);
      let pieces = 0;
      for await (const piece of await chat.exportChat({ sessionId })) {
        expect(piece.text.length).toBeLessThanOrEqual(500_000);
        pieces += 1;
      }
      expect(pieces).toBeGreaterThan(2);
      await chat.remove({ sessionId });
    }
  });
});

test.each([
  ['a list of ones', { timezone: Array<number>(250_000).fill(1) }],
  ['empty lists', { timezone: Array<unknown[]>(165_000).fill([]) }],
  ['members', Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 1]))],
])('a native call of 500 kB of %s is refused with the reason', async (_what, args) => {
  const { calls, state } = await chatWith('native', { toolCalls: [{ name: 'clock_get_time', arguments: args }] });
  expect(state).toBe('ended');
  expect(calls).toMatchObject([{ state: 'done', result: { status: 'error', error: { code: 'invalid-arguments' } } }]);
  expect(calls[0]?.result?.result).toContain('more than 20000 values. Send fewer of them.');
});
