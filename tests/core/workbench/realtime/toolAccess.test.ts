/** What a model may call: the tools of its conversation, whatever names it writes. */
import { expect, onTestFinished, test } from 'vitest';

import { firmwareProfile } from '../../../../src-core/devices/virtual/firmware/firmwareProfile.ts';
import { startRealtimeSocket, type RealtimePeer } from '../../../fakes/realtimeSocket.ts';
import { callResponse } from '../../realtime/beds.ts';
import { addHearingDevice, openRealtime } from './support.ts';

/** A model that is steered event by event, and who speaks with it. */
async function openWith(speaker: 'device' | 'window') {
  const workbench = await openRealtime();
  const { realtime } = workbench.services;
  const server = await startRealtimeSocket();
  onTestFinished(() => server.close());
  const { id: profileId } = await realtime.save({
    ...{ kind: 'server', label: 'Steered', dialect: 'openai', model: 'any', url: server.url },
  });
  const one = await addHearingDevice(workbench, firmwareProfile);
  const two = await addHearingDevice(workbench, firmwareProfile);
  const opening = realtime.open(
    speaker === 'device'
      ? { profileId, deviceId: one.id }
      : { profileId, tools: [{ toolId: 'clock', methodName: 'get_time' }] },
  );
  const peer = await server.nextPeer();
  await peer.greet();
  const update = await peer.next('session.update');
  peer.send({ type: 'session.updated', session: update.session });
  const { sessionId } = await opening;
  return { workbench, peer, sessionId, one, two };
}

async function outputOf(peer: RealtimePeer, name: string): Promise<unknown> {
  peer.send(...callResponse(`resp_${name}`, [{ id: `call_${name}`, name, args: '{}' }]));
  const { item } = await peer.next('conversation.item.create');
  return item;
}

test.each([
  ['a device', 'device'],
  ['a window that chose one', 'window'],
] as const)('the model of %s cannot call what was not offered to it, registered or not', async (_name, speaker) => {
  const { workbench, peer, two } = await openWith(speaker);
  const { calls, devices } = workbench.services;
  const other = devices.list().find(({ id }) => id === two.id)!.registryId!;
  for (const name of [`${other}_self_get_device_status`, 'clock_get_date', 'nothing_like_it']) {
    expect(await outputOf(peer, name)).toMatchObject({
      type: 'function_call_output',
      output: expect.stringMatching(/"is_error":true.*no tool/),
    });
  }
  expect(calls.history({ limit: 10 })).toEqual([]);
});

test('what is chosen holds from that moment on', async () => {
  const { workbench, peer, sessionId } = await openWith('window');
  const { realtime } = workbench.services;
  const updating = realtime.update({ id: sessionId, tools: [] });
  const update = await peer.next('session.update');
  expect(await outputOf(peer, 'clock_get_time')).toMatchObject({ output: expect.stringMatching(/no tool/) });
  peer.send({ type: 'session.updated', session: update.session });
  await updating;
});
