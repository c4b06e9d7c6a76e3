/** What a model may call: the tools of its conversation, whatever names it writes. */
import { expect, onTestFinished, test } from 'vitest';

import type { RealtimeUpdate } from '../../../../src-core/contract/types.ts';
import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import { startRealtimeSocket, type RealtimePeer } from '../../../fakes/realtimeSocket.ts';
import { callResponse } from '../../realtime/beds.ts';
import { makeTool } from '../../registry/testTool.ts';
import { addHearingDevice, openRealtime } from './support.ts';

/** A model that is steered event by event, and who speaks with it. */
async function openWith(speaker: 'device' | 'window') {
  const workbench = await openRealtime();
  const { realtime } = workbench.services;
  const server = await startRealtimeSocket();
  onTestFinished(() => server.close());
  const { id: profileId } = await realtime.saveProfile({
    kind: 'server',
    label: 'Steered',
    dialect: 'openai',
    model: 'any',
    url: server.url,
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
  expect(await calls.history({ limit: 10 })).toEqual([]);
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

/** The next tools that the model is told, and what the server may say to them. */
async function nextTools(peer: RealtimePeer) {
  for (;;) {
    const { session, event_id: eventId } = await peer.next('session.update');
    const accept = (): void => peer.send({ type: 'session.updated', session });
    const refuse = (): void => peer.send({ type: 'error', error: { code: 'no', message: 'No.', event_id: eventId } });
    const { tools } = session as { tools?: { name: string }[] };
    if (tools !== undefined) return { names: tools.map(({ name }) => name), accept, refuse };
    accept();
  }
}

test('a tool that is switched off leaves the list of a model that is connected, and comes back to it', async () => {
  const { workbench, peer } = await openWith('window');
  const { settings } = workbench.services;
  const { toolCallConfig } = settings.get();
  await settings.set({ toolCallConfig: { ...toolCallConfig, toolToggles: { clock: false } } });
  const off = await nextTools(peer);
  expect(off.names).toEqual([]);
  off.accept();
  await settings.set({ toolCallConfig });
  expect((await nextTools(peer)).names).toEqual(['clock_get_time']);
});

test('of two choices at once the later one holds, whatever becomes of the earlier one', async () => {
  const { workbench, peer, sessionId: id } = await openWith('window');
  const { realtime } = workbench.services;
  const refused = realtime.update({ id, tools: [] });
  const taken = realtime.update({ id, tools: [{ toolId: 'clock', methodName: 'get_date' }] });
  (await nextTools(peer)).refuse();
  await expect(refused).rejects.toThrow('No.');
  (await nextTools(peer)).accept();
  await taken;
  expect(await outputOf(peer, 'clock_get_date')).toMatchObject({ output: expect.not.stringMatching(/no tool/) });
  expect(await outputOf(peer, 'clock_get_time')).toMatchObject({ output: expect.stringMatching(/no tool/) });
});

test('of two choices that are both refused neither holds', async () => {
  const { workbench, peer, sessionId: id } = await openWith('window');
  const { realtime } = workbench.services;
  const updates = [realtime.update({ id, tools: [] }), realtime.update({ id, tools: [] })];
  const refusals = Promise.allSettled(updates);
  (await nextTools(peer)).refuse();
  (await nextTools(peer)).refuse();
  expect((await refusals).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await outputOf(peer, 'clock_get_time')).toMatchObject({ output: expect.not.stringMatching(/no tool/) });
});

test('tools beyond those that a model takes are left out, and that is said as a failure, once', async () => {
  const workbench = await openRealtime();
  const { realtime } = workbench.services;
  const offered = workbench.services.tools
    .changes({})
    .tools.flatMap(({ methods }) => methods.filter(({ agentCallable }) => agentCallable)).length;
  workbench.toolRegistryManager.register(
    makeTool(
      'many',
      Array.from({ length: 130 - offered }, (_, at) => ({ name: `do_${at}` })),
    ),
  );
  const { sessionId: id } = await realtime.open({});
  const leftOut = ({ timeline }: RealtimeUpdate) => timeline.filter(({ label }) => label.includes('left out'));
  const expected = { label: '2 tools were left out: a model takes 128. Choose which.', state: 'failed' };
  expect(leftOut(await realtime.updates({ id, revision: 0 }))).toMatchObject([expected]);
  await realtime.update({ id, instructions: 'Be brief.' });
  expect(leftOut(await realtime.updates({ id, revision: 0 }))).toMatchObject([expected]);
  await realtime.update({ id, tools: [{ toolId: 'many', methodName: 'do_1' }] });
  expect(leftOut(await realtime.updates({ id, revision: 0 }))).toHaveLength(1);
});

test('all that are offered can be meant again after some were chosen', async () => {
  const { realtime } = (await openRealtime()).services;
  const { sessionId: id } = await realtime.open({ tools: [{ toolId: 'clock', methodName: 'get_time' }] });
  expect(await realtime.sessions()).toMatchObject([{ toolChoice: 'chosen', tools: ['clock_get_time'] }]);
  const all = await realtime.update({ id, tools: null });
  expect(all.toolChoice).toBe('all');
  expect(all.tools.length).toBeGreaterThan(1);
  expect(await realtime.update({ id, instructions: 'Be brief.' })).toMatchObject({ toolChoice: 'all' });
});
