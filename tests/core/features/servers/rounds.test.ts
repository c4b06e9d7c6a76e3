/** A call in which a server asks is one entry of the history, with its rounds. */
import { beforeEach, expect, it, vi } from 'vitest';

import type { ToolExecutionResult } from '../../../../src-core/base/calls.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { fakeDeadlines } from '../../mcp/fakeDeadlines.ts';
import { serveModern, type ModernServer } from '../../mcp/modernServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, everything, nodeServer, untilState } from './support.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
});
const api = (): Workbench['services']['servers'] => workbench.services.servers;
const call = (): Promise<ToolExecutionResult> =>
  workbench.services.calls.execute({ toolName: 'mcp-shop_fit', argsJson: '{}', callId: 'c', origin: 'executor' });

/** Its tool asks until it has answered `rounds` times, each time with a state of its own. */
async function startShop(rounds: number, text = 'Question'): Promise<ModernServer> {
  let round = 0;
  const server = await serveModern(({ method }) => {
    if (method === 'tools/list')
      return { tools: [{ name: 'fit', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' };
    if (method !== 'tools/call') return undefined;
    if (round === rounds) return { content: [{ type: 'text', text: 'bought' }] };
    round += 1;
    const requestedSchema = { type: 'object', properties: { size: { type: 'string' }, api_key: { type: 'string' } } };
    const question = { method: 'elicitation/create', params: { message: `${text} ${round}`, requestedSchema } };
    return { resultType: 'input_required', inputRequests: { q: question }, requestState: `état "${round}"\\ \u2028` };
  });
  await addServer(workbench, {
    name: 'shop',
    type: 'http',
    url: server.url,
    headers: [{ name: 'X-Shop', value: 'the-secret-of-the-shop' }],
  });
  await untilState(workbench, 'ready');
  return server;
}

async function answerNext(content: Record<string, string> | undefined): Promise<void> {
  const request = await vi.waitUntil(async () => (await api().requests(undefined))[0]);
  const { requestId } = request;
  await api().answer({ requestId, ...(content ? { action: 'accept', content } : { action: 'decline' }) });
}

it('keeps what was asked and answered, without secrets, and returns the state of the server as it came', async () => {
  const { received } = await startShop(2);
  const bought = call();
  await answerNext({ size: 'XL the-secret-of-the-shop', api_key: 'k-123456' });
  await vi.waitUntil(() => workbench.services.calls.running()[0]?.rounds?.length === 1);
  await answerNext(undefined);
  expect(await bought).toMatchObject({ status: 'success', result: 'bought' });
  const { rows } = await workbench.services.calls.search({ limit: 10 });
  expect(rows).toHaveLength(1);
  expect((await workbench.services.calls.get({ callId: 'c' })).rounds).toEqual([
    {
      at: expect.any(Number),
      questions: [
        { kind: 'form', asked: 'Question 1', outcome: 'accept', answered: '{"size":"XL ***","api_key":"***"}' },
      ],
    },
    { at: expect.any(Number), questions: [{ kind: 'form', asked: 'Question 2', outcome: 'decline' }] },
  ]);
  const states = received.filter(({ message }) => message.method === 'tools/call').map(({ message }) => message.params);
  expect(states.map(({ requestState }) => requestState)).toEqual([undefined, 'état "1"\\ \u2028', 'état "2"\\ \u2028']);
});

it('reports that a question is too long, and names no setting', async () => {
  await startShop(1, 'x'.repeat(1_000_000));
  const { error } = await call();
  expect(error).toMatchObject({
    code: 'tool-error',
    message: expect.stringMatching(/^The question has \d+ characters/),
  });
  expect(error?.details).toBeUndefined();
});

it('keeps what a legacy server asked in a call, too', async () => {
  await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
  const toolName = 'mcp-everything_trigger-elicitation-request';
  const ended = workbench.services.calls.execute({ toolName, argsJson: '{}', callId: 'c', origin: 'executor' });
  await answerNext(undefined);
  await ended;
  expect((await workbench.services.calls.get({ callId: 'c' })).rounds).toEqual([
    {
      at: expect.any(Number),
      questions: [{ kind: 'form', asked: expect.stringContaining('Please provide'), outcome: 'decline' }],
    },
  ]);
});

it('ends a call to which the server answers with questions again and again', async () => {
  await startShop(Infinity);
  const bought = call();
  for (let round = 1; round <= 10; round++) await answerNext({ size: String(round) });
  expect(await bought).toMatchObject({
    status: 'error',
    error: { code: 'tool-error' },
    result: expect.stringContaining('The server asked for input more than 10 times.'),
  });
  expect((await workbench.services.calls.get({ callId: 'c' })).rounds).toHaveLength(10);
});

it('counts the time that the user needs for an answer neither for the limit nor as time of the call', async () => {
  await startShop(1);
  fakeDeadlines();
  const bought = workbench.services.calls.execute({
    toolName: 'mcp-shop_fit',
    argsJson: '{}',
    callId: 'c',
    origin: 'executor',
    timeoutMs: 500,
  });
  await expect.poll(() => api().requests(undefined)).toHaveLength(1);
  vi.advanceTimersByTime(700);
  await answerNext({ size: 'S' });
  const { status, durationMs } = await bought;
  expect(status).toBe('success');
  expect(durationMs).toBeLessThan(500);
});
