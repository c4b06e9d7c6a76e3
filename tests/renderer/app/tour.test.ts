/** The way to a first call: what it says at its end. */
import { expect, it, vi } from 'vitest';

import TourBar from '../../../renderer/app/tour/TourBar.vue';
import { useTour } from '../../../renderer/app/tour/tourStore.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it.each([
  ['of a device', true],
  ['of a tool without a wire', false],
])('a first call %s: the wire exchange is named only if there is one', async (_what, ofDevice) => {
  const { client } = window.connection;
  const tour = window.use(() => useTour());
  await vi.waitUntil(() => tour.shown === true);
  const bar = window.mount(TourBar);
  let toolName = 'clock_get_time';
  if (ofDevice) {
    await client.devices.addVirtual({ name: 'Lamp' });
    await vi.waitUntil(() => tour.suggested !== undefined);
    toolName = tour.suggested!.method.qualifiedName;
  }
  await client.calls.execute({ callId: 'first', toolName, argsJson: '{}', origin: 'executor' });
  await vi.waitUntil(() => tour.step === 'done');
  await vi.waitUntil(() => bar.text().includes('Every call is kept in the history'));
  expect(bar.text().includes('wire exchange')).toBe(ofDevice);
});
