/** What a device says beside its sound: the button held, the wake word, that it wants to hear no more; and what it cannot take. */
import { expect, onTestFinished, test } from 'vitest';

import { OpusEncoder } from '../../../../src-core/audio/opusEncoder.ts';
import { createPyXiaozhiProfile } from '../../../../src-core/features/devices/virtual/pyXiaozhi/pyXiaozhiProfile.ts';
import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { DeviceClient, McpServer } from '../../../../src-core/device.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { readyDevice } from '../../workbench/openWorkbench.ts';
import { addHearingDevice, ended, openRealtime, tone, updatesOnce, wholeConversation } from './support.ts';

const talks = {
  turns: [{ heard: 'Tell me.', say: 'Once upon a time there was a board. It had a button.' }, { say: 'Yes?' }],
};

/** A device that says what a test wants, message by message, and what it was sent, sound as `frame`. */
async function steeredDevice(workbench: Workbench) {
  const got: string[] = [];
  const texts: JsonObject[] = [];
  const waiting = new Set<() => void>();
  const note = (what: string): void => {
    got.push(what);
    for (const look of waiting) look();
  };
  const client = new DeviceClient({
    url: workbench.info().device.otaUrl,
    server: new McpServer(),
    onMessage: (message) => {
      texts.push(message);
      note(typeof message['state'] === 'string' ? `${message.type} ${message['state']}` : message.type);
    },
    onAudio: () => note('frame'),
  });
  onTestFinished(() => client.close());
  await client.connect();
  const { id } = await readyDevice(workbench, client.identity.deviceId);
  const say = (message: JsonObject & { type: string }): void => {
    expect(client.send({ session_id: client.sessionId, ...message })).toBe(true);
  };
  /** Resolves once it has come so many times. */
  const told = (what: string, times = 1): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (got.filter((each) => each === what).length < times) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { id, got, told, texts, say, client };
}

test('the button held: pauses end nothing, letting go does, and each turn has one answer', async () => {
  const workbench = await openRealtime(talks);
  const { realtime } = workbench.services;
  const { device, id, told, messages } = await addHearingDevice(workbench, {
    ...createPyXiaozhiProfile(),
    listenMode: 'manual',
  });
  const { sessionId } = await realtime.open({ deviceId: id });
  // More silence than a server waits for, in the middle of a turn.
  const pcm = new Int16Array(16_000 * 3);
  pcm.set(tone(1_000, 16_000), 0);
  pcm.set(tone(1_000, 16_000), 32_000);
  await device.say(pcm);
  await told('tts', 'stop');
  const { events, transcript } = await updatesOnce(workbench, sessionId, ended(1));
  expect(events.filter(({ type }) => type === 'input_audio_buffer.commit')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1);
  expect(events.some(({ type }) => type === 'input_audio_buffer.speech_stopped')).toBe(false);
  expect(transcript[0]).toMatchObject({ who: 'user', text: 'Tell me.' });
  expect(messages.find(({ type }) => type === 'stt')).toMatchObject({ text: 'Tell me.' });
  expect((await realtime.sessions())[0]!.latency.count).toBe(1);
});

test('the button pressed while it speaks: the voice ends; one that is let go at once is no turn', async () => {
  const playClock = createManualClock();
  const workbench = await openRealtime(talks, { playClock });
  const { realtime } = workbench.services;
  const { id, told, say } = await steeredDevice(workbench);
  const { sessionId } = await realtime.open({ deviceId: id });
  await realtime.sendText({ id: sessionId, text: 'Tell me.' });
  await told('tts start');
  await updatesOnce(workbench, sessionId, ended(1));
  say({ type: 'listen', state: 'start', mode: 'manual' });
  say({ type: 'listen', state: 'stop' });
  await told('tts stop');
  const { events } = await updatesOnce(workbench, sessionId, (update) =>
    update.events.some(({ type }) => type === 'input_audio_buffer.clear'),
  );
  expect(events.some(({ type }) => type === 'input_audio_buffer.commit')).toBe(false);
});

test('abort: the voice ends, and the model is told that nothing of it was heard yet', async () => {
  const playClock = createManualClock();
  const workbench = await openRealtime(talks, { playClock });
  const { realtime, frames } = workbench.services;
  const { id, got, told, say } = await steeredDevice(workbench);
  const { sessionId } = await realtime.open({ deviceId: id });
  await realtime.sendText({ id: sessionId, text: 'Tell me.' });
  await told('tts start');
  await updatesOnce(workbench, sessionId, ended(1));
  // A board that was told so turns to speaking first: what comes before is lost there.
  expect(got).not.toContain('frame');
  say({ type: 'abort', reason: 'wake_word_detected' });
  await told('tts stop');
  const { events } = await wholeConversation(workbench, { id: sessionId });
  const { seq } = events.find(({ type }) => type === 'conversation.item.truncate')!;
  expect(JSON.parse((await frames.frame({ source: 'realtime', connection: sessionId, seq })).text!)).toMatchObject({
    audio_end_ms: 0,
  });
  await realtime.sendText({ id: sessionId, text: 'And?' });
  await told('tts start', 2);
  playClock.advance(120);
  await told('frame');
  expect(got.indexOf('frame')).toBeGreaterThan(got.lastIndexOf('tts start'));
});

test('an interruption in the middle of a sentence: the rest of it is not spoken', async () => {
  const unfinished = Array.from({ length: 50 }, () => 'and on').join(' ');
  const workbench = await openRealtime({ turns: [{ say: unfinished }, { say: 'Yes?' }] }, { paceMs: 20 });
  const { realtime } = workbench.services;
  const { id, got, told, texts, say } = await steeredDevice(workbench);
  const { sessionId } = await realtime.open({ deviceId: id });
  await realtime.sendText({ id: sessionId, text: 'Tell me.' });
  await told('tts start');
  await updatesOnce(workbench, sessionId, ({ transcript }) =>
    transcript.some(({ who, text }) => who === 'bot' && text.includes('and on')),
  );
  say({ type: 'abort' });
  await told('tts stop');
  await updatesOnce(workbench, sessionId, ({ events }) => events.some(({ type }) => type === 'response.done'));
  await realtime.sendText({ id: sessionId, text: 'Stop.' });
  await told('tts sentence_start');
  expect(texts.filter(({ state }) => state === 'sentence_start')).toMatchObject([{ text: 'Yes?' }]);
  expect(got.filter((what) => what.startsWith('tts'))).toEqual([
    'tts start',
    'tts stop',
    'tts start',
    'tts sentence_start',
  ]);
});

test('each sentence is told before its sound, and not before the sound of the one before it', async () => {
  const playClock = createManualClock();
  const workbench = await openRealtime(talks, { playClock });
  const { realtime } = workbench.services;
  const { id, got, told, texts } = await steeredDevice(workbench);
  const { sessionId } = await realtime.open({ deviceId: id });
  await realtime.sendText({ id: sessionId, text: 'Tell me.' });
  await told('tts sentence_start');
  await updatesOnce(workbench, sessionId, ended(1));
  expect(got).not.toContain('frame');
  // All of the model's words and sound are here; the second sentence waits for its own.
  expect(texts.filter(({ state }) => state === 'sentence_start')).toMatchObject([
    { text: 'Once upon a time there was a board.' },
  ]);
  playClock.advance(120);
  await told('frame');
  while (!got.includes('tts stop')) {
    playClock.advance(60);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const sentences = texts.filter(({ state }) => state === 'sentence_start');
  expect(sentences.map(({ text }) => text)).toEqual(['Once upon a time there was a board.', 'It had a button.']);
  const second = got.lastIndexOf('tts sentence_start');
  expect(got.slice(0, second)).toContain('frame');
  expect(got.slice(second)).toContain('frame');
});

/** Speech of a second and the pause behind it, as packets. */
async function speech(): Promise<Buffer[]> {
  const encoder = await OpusEncoder.create({ sampleRate: 16_000, frameMs: 60 });
  const pcm = new Int16Array(960 * 34);
  pcm.set(tone(960, 16_000));
  const packets = Array.from({ length: 34 }, (_, at) =>
    Buffer.from(encoder.encode(pcm.subarray(at * 960, (at + 1) * 960))),
  );
  encoder.close();
  return packets;
}

test.each([
  ['auto', false],
  ['realtime', true],
] as const)(
  'its own voice in the microphone: in the mode %s it counts as an interruption: %s',
  async (mode, counts) => {
    const playClock = createManualClock();
    const workbench = await openRealtime(talks, { playClock });
    const { realtime } = workbench.services;
    const { id, told, say, client } = await steeredDevice(workbench);
    const { sessionId } = await realtime.open({ deviceId: id });
    say({ type: 'listen', state: 'start', mode });
    await realtime.sendText({ id: sessionId, text: 'Tell me.' });
    await told('tts start');
    await updatesOnce(workbench, sessionId, ended(1));
    for (const packet of await speech()) client.sendAudio(packet);
    if (!counts) say({ type: 'listen', state: 'detect', text: 'Hello' });
    await told('tts stop');
    if (!counts) await told('stt');
    const { events } = await wholeConversation(workbench, { id: sessionId });
    expect(events.some(({ type }) => type === 'input_audio_buffer.speech_started')).toBe(counts);
    expect(events.some(({ type }) => type === 'input_audio_buffer.append')).toBe(counts);
  },
);

test('the wake word goes to the model as words; over the voice it ends that first', async () => {
  const playClock = createManualClock();
  const workbench = await openRealtime(talks, { playClock });
  const { realtime } = workbench.services;
  realtime.setForDevices({ profileId: 'scripted' });
  const { got, told, say, texts } = await steeredDevice(workbench);
  say({ type: 'listen', state: 'detect', text: '你好小智' });
  say({ type: 'listen', state: 'start', mode: 'auto' });
  await told('tts start');
  expect(texts.find(({ type }) => type === 'stt')).toMatchObject({ text: '你好小智' });
  const { id } = (await realtime.sessions())[0]!;
  expect((await updatesOnce(workbench, id, ended(1))).transcript[0]).toMatchObject({ who: 'user', text: '你好小智' });
  say({ type: 'listen', state: 'detect', text: '你好小智' });
  await told('tts start', 2);
  const order = got.filter((each) => /^(stt|tts (start|stop))$/.test(each));
  expect(order).toEqual(['stt', 'tts start', 'tts stop', 'stt', 'tts start']);
});

test('a device that may not begin is told why, also before there is a conversation', async () => {
  const workbench = await openRealtime(talks);
  const { realtime } = workbench.services;
  for (let count = 0; count < 16; count += 1) await realtime.open({});
  realtime.setForDevices({ profileId: 'scripted' });
  const { told, say, texts } = await steeredDevice(workbench);
  say({ type: 'listen', state: 'start', mode: 'auto' });
  await told('alert');
  expect(texts.find(({ type }) => type === 'alert')).toMatchObject({
    message: expect.stringMatching(/16 conversations/),
  });
});

test('sound that is none does no harm: what can be read after it is heard', async () => {
  const workbench = await openRealtime(talks);
  const { realtime } = workbench.services;
  const { id, told, client } = await steeredDevice(workbench);
  const { sessionId } = await realtime.open({ deviceId: id });
  for (const bad of [Buffer.alloc(0), Buffer.alloc(60_000, 255), Buffer.from('no opus at all')]) client.sendAudio(bad);
  for (const packet of await speech()) client.sendAudio(packet);
  await told('tts stop');
  const { timeline } = await updatesOnce(workbench, sessionId, ended(1));
  expect(timeline.some(({ label, state }) => state === 'failed' && /cannot be read/.test(label))).toBe(true);
});

test('a board gets no more of a text than its display, and never half a character', async () => {
  const workbench = await openRealtime({ turns: [{ heard: `a${'😀'.repeat(1_999)}`, say: `b${'😀'.repeat(600)}` }] });
  const { realtime } = workbench.services;
  const { device, id, messages, told } = await addHearingDevice(workbench, firmwareProfile);
  await realtime.open({ deviceId: id });
  await device.say(tone(1_000, 16_000));
  await told('tts', 'stop');
  const texts = messages.flatMap(({ type, text }) => (type !== 'llm' && typeof text === 'string' ? [text] : []));
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text.isWellFormed()).toBe(true);
  }
});
