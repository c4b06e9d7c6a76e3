/** What boards do without a word, and where a user is told of it. */
import { expect, test } from 'vitest';

import { createVirtualDeviceOf } from '../../../../../src-core/features/devices/virtual/profiles.ts';
import { executeSingleRequest } from '../../../../../src-core/engine/executor.ts';
import { exactNumber } from '../../../../../src-core/base/exactNumber.ts';
import type { JsonObject } from '../../../../../src-core/base/json.ts';
import { openHub } from '../support/openHub.ts';
import { connectScripted, standardAnswer } from '../support/scriptedDevice.ts';

async function openBoard(answersCalls: boolean) {
  const open = await openHub();
  const board = await connectScripted(open.wsUrl, {
    answer: (request) => {
      if (request.method === 'tools/call') return answersCalls ? standardAnswer(request) : undefined;
      if (request.method !== 'tools/list') return standardAnswer(request);
      const properties = { count: { type: 'integer' }, least: { type: 'integer' }, note: { type: 'string' } };
      return {
        jsonrpc: '2.0',
        id: request.id,
        result: { tools: [{ name: 'count', inputSchema: { type: 'object', properties } }] },
      };
    },
  });
  board.hello();
  const { id } = await open.registry();
  const call = (args: JsonObject) =>
    executeSingleRequest(
      { toolName: id, command: 'count', args },
      { toolRegistryManager: open.toolRegistryManager, caller: 'user', config: { timeout: 50 } },
    );
  return { call };
}

test.each([
  [{ count: 3_000_000_000 }, '"count" = 2147483647'],
  [{ count: 1, least: -3_000_000_000 }, '"least" = -2147483648'],
  [{ count: exactNumber('9007199254740993'), least: 2 ** 31 }, '"count" = 2147483647, "least" = 2147483647'],
])('an integer beyond 32 bits goes out, with a remark: %j', async (args, said) => {
  const { call } = await openBoard(true);
  expect(await call(args)).toMatchObject({
    status: 'success',
    result: 'true',
    remark: `Boards read integers of 32 bits: the firmware reads ${said}.`,
  });
});

test.each<JsonObject>([{ count: 2 ** 31 - 1, least: -(2 ** 31), note: '3000000000' }, {}])(
  '%j needs no remark',
  async (args) => {
    const { call } = await openBoard(true);
    const result = await call(args);
    expect(result.status).toBe('success');
    expect(result).not.toHaveProperty('remark');
  },
);

test('a board that does not answer in time may have had too much to say', async () => {
  const { call } = await openBoard(false);
  expect((await call({})).error).toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(
      /did not answer within 50 ms\. The device has sent nothing since the call was sent\. A board sends no answer if it is larger than 65,535 bytes\.$/,
    ) as string,
  });
});

test.each(['py-xiaozhi', 'device-library'])('%s has neither limit', async (profile) => {
  const { otaUrl, registry } = await openHub();
  await createVirtualDeviceOf(profile, { url: otaUrl }).connect();
  expect(await registry()).not.toHaveProperty('silenceHint');
});
