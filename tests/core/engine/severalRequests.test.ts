import { describe, expect, test } from 'vitest';
import { executeToolRequests } from '../../../src-core/engine/executor.ts';
import { deferred, request, setUp } from './execution.ts';

const volume = { properties: { volume: { type: 'integer', maximum: 100 } }, required: ['volume'] };

describe('several requests', () => {
  test('a serial block runs its calls in order, each with its own id and arguments', async () => {
    const lab = setUp([{ name: 'set', inputSchema: volume, handler: ({ volume: given }) => given }, { name: 'get' }]);
    const serial = {
      ...request('lab', { volume: 'ignored' }),
      calls: [
        { requestId: 'r1-1', command: 'set', args: { volume: '1' } },
        { requestId: 'r1-2', command: 'gone', args: {} },
        { requestId: 'r1-3', command: 'get', args: {} },
      ],
    };
    const results = await executeToolRequests([serial, request('lab_get', {}, 'r2')], lab.options);
    expect(results.map(({ requestId, toolName, result, status }) => [requestId, toolName, status, result])).toEqual([
      ['r1-1', 'lab_set', 'success', '1'],
      ['r1-2', 'lab', 'error', expect.stringContaining('no method "gone"')],
      ['r1-3', 'lab_get', 'success', 'get'],
      ['r2', 'lab_get', 'success', 'get'],
    ]);
  });

  test('run one after the other by default: the second starts when the first has ended', async () => {
    const log: string[] = [];
    const lab = setUp([
      {
        name: 'get',
        inputSchema: { properties: { n: { type: 'string' } } },
        handler: async ({ n }) => {
          log.push(`start ${String(n)}`);
          await new Promise((resolve) => setImmediate(resolve));
          log.push(`end ${String(n)}`);
        },
      },
    ]);
    await executeToolRequests(
      [1, 2].map((n) => request('lab_get', { n: `${n}` }, `r${n}`)),
      lab.options,
    );
    expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2']);
  });

  test('in parallel: all run at once, and results keep the order of the requests', async () => {
    const count = 10;
    const all = deferred();
    const order: string[] = [];
    let running = 0;
    const lab = setUp([
      {
        name: 'get',
        inputSchema: { properties: { n: { type: 'integer' } } },
        handler: async ({ n }) => {
          running += 1;
          if (running === count) all.resolve();
          await all.promise;
          // The last request ends first.
          for (let i = Number(n); i < count; i += 1) await Promise.resolve();
          order.push(String(n));
          return n;
        },
      },
    ]);
    const requests = Array.from({ length: count }, (_, n) => request('lab_get', { n: `${n}` }, `r${n}`));
    const results = await executeToolRequests(requests, { ...lab.options, config: { parallelExecution: true } });
    expect(results.map(({ result }) => result)).toEqual(requests.map((_, n) => String(n)));
    expect(order).not.toEqual(results.map(({ result }) => result));
  });

  test('run at most 32 at once', async () => {
    let running = 0;
    let most = 0;
    const lab = setUp([
      {
        name: 'get',
        handler: async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
        },
      },
    ]);
    const requests = Array.from({ length: 200 }, () => request('lab_get'));
    const results = await executeToolRequests(requests, { ...lab.options, config: { parallelExecution: true } });
    expect(results.filter(({ status }) => status === 'success').length).toBe(200);
    expect(most).toBe(32);
  });

  test('an empty list returns an empty list', async () => {
    expect(await executeToolRequests([], setUp([]).options)).toEqual([]);
  });
});
