/** A device and the model, where something comes in between: the person speaks or presses, the device goes, the model goes. */
import { expect, test } from 'vitest';

import { writeWav } from '../../../helpers/writeWav.ts';
import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { until } from '../../workbench/openWorkbench.ts';
import { addHearingDevice, ended, hastyClock, openRealtime, tone, updatesOnce } from './support.ts';

const talks = {
  turns: [{ heard: 'Tell me.', say: 'Once upon a time there was a board. It had a button. Nobody pressed it.' }],
};
const asks = {
  turns: [{ heard: 'How are you?', say: 'I look.', calls: [{ name: 'get_device_status' }], then: '{{output}}' }],
};

test('speech over the voice silences the device and tells the model how much was heard', async () => {
  // In this time the voice never gets further than its lead.
  const playClock = createManualClock();
  const workbench = await openRealtime(talks, { playClock });
  const { realtime, frames } = workbench.services;
  const { device, id, messages, told } = await addHearingDevice(workbench, firmwareProfile);
  const { sessionId } = await realtime.open({ deviceId: id });
  await device.say(tone(1_000, 16_000));
  await updatesOnce(workbench, sessionId, ended(1));
  await told('tts', 'start');
  playClock.advance(720);
  await device.say(tone(1_000, 16_000));
  await told('tts', 'stop');
  const { events } = await updatesOnce(workbench, sessionId, (update) =>
    update.events.some(({ type }) => type === 'conversation.item.truncate'),
  );
  const truncate = events.find(({ type }) => type === 'conversation.item.truncate')!;
  const { text } = await frames.frame({ source: 'realtime', connection: sessionId, seq: truncate.seq });
  expect(JSON.parse(text!)).toMatchObject({ audio_end_ms: 600 });
  // What was not heard is not shown either; the next answer begins with the same words.
  const shown = messages.flatMap(({ state, text: words }) => (state === 'sentence_start' ? [words] : []));
  expect(new Set(shown)).toEqual(new Set(['Once upon a time there was a board.']));
});

test('a press of the button silences it', async () => {
  const playClock = createManualClock();
  const workbench = await openRealtime(talks, { playClock });
  const { realtime } = workbench.services;
  const { device, id, told } = await addHearingDevice(workbench, firmwareProfile);
  const { sessionId } = await realtime.open({ deviceId: id });
  await realtime.sendText({ id: sessionId, text: 'Tell me.' });
  await told('tts', 'start');
  await device.press();
  await told('tts', 'stop');
  expect((await realtime.sessions())[0]).toMatchObject({ state: 'connected' });
});

test('a device that goes in the middle of its call ends the conversation', async () => {
  const workbench = await openRealtime(asks);
  const { realtime, calls } = workbench.services;
  const { device, id } = await addHearingDevice(workbench, firmwareProfile, { latencyMs: 600_000 });
  const { sessionId } = await realtime.open({ deviceId: id });
  await device.say(tone(1_000, 16_000));
  await updatesOnce(workbench, sessionId, () => calls.running().length === 1);
  device.pullPlug();
  const { session, timeline } = await updatesOnce(workbench, sessionId, (update) => update.session.state === 'closed');
  expect(session.reason).toBe('The device has disconnected.');
  expect(timeline.find(({ lane }) => lane === 'tool')).toMatchObject({
    state: expect.stringMatching(/failed|interrupted/),
  });
  await until(workbench, () => calls.running().length === 0);
});

test('a device that begins to listen is answered by itself where that is set; another is not', async () => {
  const workbench = await openRealtime(talks);
  const { realtime } = workbench.services;
  const one = await addHearingDevice(workbench, firmwareProfile);
  const two = await addHearingDevice(workbench, firmwareProfile);
  expect(() => realtime.setForDevices({ profileId: 'none' })).toThrow(expect.objectContaining({ field: 'profileId' }));
  realtime.setForDevices({ profileId: 'scripted' });
  realtime.setForDevices({ deviceId: two.id, profileId: null });
  await Promise.all([one.device.say(tone(1_000, 16_000)), two.device.say(tone(1_000, 16_000))]);
  await one.told('tts', 'stop');
  expect(await realtime.sessions()).toMatchObject([{ from: { deviceId: one.id }, state: 'connected' }]);
  expect(two.messages.some(({ type }) => type === 'tts')).toBe(false);
  await expect(realtime.open({ deviceId: one.id })).rejects.toMatchObject({ field: 'deviceId' });
  await one.device.close();
  await until(workbench, async () => (await realtime.sessions())[0]?.state === 'closed');
});

test('a device is told where its model cannot be reached', async () => {
  const workbench = await openRealtime(talks);
  const { realtime } = workbench.services;
  const { id: profileId } = await realtime.saveProfile({
    kind: 'server',
    label: 'Nobody',
    dialect: 'openai',
    model: 'none',
    // Port 1 of this machine: nothing listens there.
    url: 'ws://127.0.0.1:1/v1/realtime',
  });
  const { device, id, told, messages } = await addHearingDevice(workbench, firmwareProfile);
  realtime.setForDevices({ deviceId: id, profileId });
  await device.press();
  await told('alert');
  expect(messages.find(({ type }) => type === 'alert')).toMatchObject({
    status: expect.any(String),
    message: expect.stringMatching(/no program listens/),
    emotion: expect.any(String),
  });
  await until(workbench, async () => (await realtime.sessions())[0]?.state === 'closed');
  // Its voice is free again.
  const { sessionId } = await realtime.open({ deviceId: id, profileId: 'scripted' });
  await realtime.close({ id: sessionId });
});

test('the model that goes silences the device, which is told why', async () => {
  const playClock = createManualClock();
  const workbench = await openRealtime(
    { turns: [{ heard: 'Tell me.', say: 'Once upon a time there was a board.', fault: 'drop-socket' }] },
    { playClock, clock: hastyClock() },
  );
  const { realtime } = workbench.services;
  const { id, told, device } = await addHearingDevice(workbench, firmwareProfile);
  await realtime.open({ deviceId: id });
  await device.say(tone(1_000, 16_000));
  await told('alert');
  await told('tts', 'stop');
  await until(workbench, async () => (await realtime.sessions())[0]?.state === 'connected');
});

test('closing the workbench in the middle of a voice leaves nothing open', async () => {
  const workbench = await openRealtime(talks, { playClock: createManualClock() });
  const { realtime } = workbench.services;
  const { device, id, told } = await addHearingDevice(workbench, firmwareProfile);
  await realtime.open({ deviceId: id });
  await device.say(tone(1_000, 16_000));
  await told('tts', 'start');
  await workbench.close();
  await expect(realtime.open({})).rejects.toThrow(/closing/);
});

test('a WAV file is said by a virtual device of ours alone', async () => {
  const workbench = await openRealtime(talks);
  const { realtime, devices } = workbench.services;
  const { deviceId } = await devices.addVirtual({ profile: 'py-xiaozhi' });
  const wav = Buffer.from(writeWav(tone(60, 24_000), 24_000)).toString('base64');
  expect(await realtime.playOnDevice({ deviceId, wav })).toEqual({ durationMs: 60 });
  const said = async (): Promise<string[]> =>
    (await workbench.services.frames.page({ source: 'device', connection: deviceId, limit: 100 })).rows.flatMap(
      ({ direction, summary }) => (direction === 'in' ? [summary] : []),
    );
  await until(workbench, async () => (await said()).includes('listen stop'));
  expect(await said()).toEqual(expect.arrayContaining(['listen start', '3 audio frames']));
  await expect(realtime.playOnDevice({ deviceId: 'none', wav })).rejects.toMatchObject({ field: 'deviceId' });
});
