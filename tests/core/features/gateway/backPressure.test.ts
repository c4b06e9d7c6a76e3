/** CLIENT_TOOL_RESULT_QUEUE_SIZE on a real socket: reading stops while results wait, and none is lost. */
import { expect, test } from 'vitest';

import type { ToolOutput } from '../../../../src-core/registry/types.ts';
import { openGateway } from './support/openGateway.ts';
import { clientTool, register } from './support/wording.ts';
import type { TestClient } from './support/testClient.ts';

const size = 2;
const calls = 40;
/** Longer than what Node reads from a socket at once (64 KiB): not two of them come in one piece. */
const filling = 'r'.repeat(150_000);

/**
 * A client with `calls` calls of its tool waiting; `waited` has how many results had been read, each time one was
 * taken.
 */
async function withWaitingCalls(): Promise<{
  client: TestClient;
  outputs: Promise<ToolOutput[]>;
  waited: number[];
  answer: () => void;
}> {
  const { connect, toolRegistryManager, frames } = await openGateway({
    settings: { clientToolResultQueueSize: size },
  });
  const client = await connect();
  client.send(register(clientTool('f')));
  await client.upTo('tools_registered');
  const tool = toolRegistryManager.getTool('gateway-client-1')!;
  const callIds = Array.from({ length: calls }, (_, index) => `call-${index}`);
  const waited: number[] = [];
  const outputs = callIds.map(async (callId) => {
    const output = await tool.invoke('f', {}, { signal: new AbortController().signal, timeoutMs: 60_000, callId });
    const read = frames.filter(({ frame }) => frame.type === 'tool_result').length;
    waited.push(read - waited.length);
    return output;
  });
  for (let count = 0; count < calls; count += 1) await client.next();
  return {
    client,
    waited,
    outputs: Promise.all(outputs),
    answer() {
      for (const call_id of callIds)
        client.send({ type: 'tool_result', call_id, success: true, result: `${call_id} ${filling}` });
    },
  };
}

const expected = Array.from({ length: calls }, (_, index) => ({ value: `call-${index} ${filling}` }));

test('while 2 results wait nothing more is read from the client; then reading goes on, and all 40 come', async () => {
  const { client, outputs, waited, answer } = await withWaitingCalls();
  answer();
  client.send({ type: 'ping' });
  expect(await outputs).toEqual(expected);
  expect(Math.max(...waited)).toBeLessThanOrEqual(size);
  expect(waited).toHaveLength(calls);
  expect((await client.next()).type).toBe('pong');
});

test('keeps all results of a client that sends them at once and leaves', async () => {
  const { client, outputs, waited, answer } = await withWaitingCalls();
  answer();
  client.socket.close();
  expect(await outputs).toEqual(expected);
  expect(Math.max(...waited)).toBeLessThanOrEqual(size);
  await client.closed;
});
