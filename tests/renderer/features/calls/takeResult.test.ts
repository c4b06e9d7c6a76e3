import { expect, test } from 'vitest';

import { followRun } from '../../../../renderer/features/calls/followRun.ts';
import { takeResult } from '../../../../renderer/features/calls/takeResult.ts';
import type { ResultPiece } from '../../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

const result = { requestId: 'r', toolName: 't_m', status: 'success' as const, result: '', durationMs: 1 };
/** Halves of surrogate pairs fall into pieces of their own. */
const long = `a${'😀'.repeat(200_000)}`;

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

async function* given(...pieces: ResultPiece[]): AsyncGenerator<ResultPiece> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

test('a long answer comes over the contract as it was, its blocks too', async () => {
  const block = { type: 'image' as const, data: 'QUJD'.repeat(100_000), mimeType: 'image/png' };
  window.workbench.toolRegistryManager.register({
    id: 'long',
    name: 'Long',
    source: { kind: 'builtin', id: 'long', label: 'Long' },
    getMetadata: () => ({
      methods: [{ name: 'text', description: 'Long.', agentCallable: true, inputSchema: { type: 'object' } }],
    }),
    invoke: () =>
      Promise.resolve({
        value: long,
        content: [{ type: 'text', text: 'short' }, block],
        structuredContent: { long },
      }),
  });
  const call = { callId: 'c', toolName: 'long_text', argsJson: '{}', origin: 'executor' as const };
  const { client } = window.connection;
  const follow = () => client.calls.executeInPieces(call);
  const taken = await takeResult(followRun(window.connection, { follow }) as AsyncIterable<ResultPiece>);
  expect(taken).toMatchObject({ status: 'success', content: [{ text: 'short' }, block] });
  expect(taken.result === long).toBe(true);
  expect(taken.structuredContent === JSON.stringify({ long })).toBe(true);
});

test('a call that the engine refuses is refused here, too', async () => {
  const call = { callId: '', toolName: 'x', argsJson: '{}', origin: 'executor' as const };
  await expect(window.connection.client.calls.executeInPieces(call)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('fails if the pieces end too early', async () => {
  await expect(takeResult(given())).rejects.toThrow('stopped before its end');
  const head = { result, long: [{ member: 'result' as const, length: 4 }] };
  await expect(takeResult(given(head, { text: 'abc' }))).rejects.toThrow('stopped before its end');
  await expect(takeResult(given(head, { text: 'abc' }, { text: 'd' }))).resolves.toMatchObject({ result: 'abcd' });
});
