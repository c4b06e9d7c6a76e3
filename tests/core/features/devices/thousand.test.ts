/** A thousand devices at once; what that costs stands in docs/benchmarks.md. */
import { expect, onTestFinished, test } from 'vitest';
import { idsOf, openManyDevices } from './support/manyDevices.ts';

const count = 1_000;
const tools = 32;
const half = count / 2;

test('1,000 devices of 32 tools: each call answered once, by the device that was called, also while half of them drop', async () => {
  const devices = await openManyDevices({ count, tools });
  onTestFinished(devices.close);
  await devices.connect();
  expect(devices.registered().sort()).toEqual(idsOf(count));
  expect(devices.hub.devices().filter(({ state, toolCount }) => state === 'ready' && toolCount === tools)).toHaveLength(
    count,
  );
  expect(await devices.callAll(idsOf(count), 64)).toEqual({
    right: count * tools,
    wrong: 0,
    disconnected: 0,
    failed: 0,
  });

  // Calls go on while every second device leaves: of those that stay none is lost, of the others none is left hanging.
  const staying = devices.callAll(idsOf(count, { from: 1, step: 2 }), 16);
  const leaving = devices.callAll(idsOf(count, { step: 2 }), half);
  await devices.drop({ step: 2 });
  expect(await staying).toEqual({ right: half * tools, wrong: 0, disconnected: 0, failed: 0 });
  const { right, wrong, disconnected, failed } = await leaving;
  expect({ wrong, failed, settled: right + disconnected }).toEqual({ wrong: 0, failed: 0, settled: half * tools });
  expect(devices.registered().sort()).toEqual(idsOf(count, { from: 1, step: 2 }));

  await devices.connect({ step: 2 });
  expect(devices.registered().sort()).toEqual(idsOf(count));
  expect(await devices.callAll(idsOf(count, { step: 2 }), 64)).toEqual({
    right: half * tools,
    wrong: 0,
    disconnected: 0,
    failed: 0,
  });
}, 120_000);
