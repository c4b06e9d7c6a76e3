/** A virtual device speaks with the model over real sockets, all the way: sound, Opus, model, its own tool, and the voice back. */
import { describe, expect, test } from 'vitest';

import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import { createPyXiaozhiProfile } from '../../../../src-core/features/devices/virtual/pyXiaozhi/pyXiaozhiProfile.ts';
import { addHearingDevice, ended, openRealtime, tone, updatesOnce } from './support.ts';

const script = (tool: string) => ({
  turns: [
    { heard: 'How loud are you?', say: 'One moment. I look.', calls: [{ name: tool }], then: 'I see. {{output}}' },
  ],
});

describe.each([
  ['a board, version 1', firmwareProfile, 1, 'get_device_status'],
  ['a board, version 2', firmwareProfile, 2, 'get_device_status'],
  ['a board, version 3', firmwareProfile, 3, 'get_device_status'],
  ['py-xiaozhi', createPyXiaozhiProfile(), 1, 'get_volume'],
] as const)('%s', (_name, profile, protocolVersion, tool) => {
  test('speaks, is understood, has its tool called, and hears the answer', async () => {
    const workbench = await openRealtime(script(tool));
    const { realtime, calls, frames } = workbench.services;
    const { device, id, messages, heard, told } = await addHearingDevice(workbench, profile, { protocolVersion });
    const { sessionId } = await realtime.open({ deviceId: id });
    expect((await realtime.sessions())[0]).toMatchObject({
      from: { kind: 'device', deviceId: id },
      state: 'connected',
    });
    await device.say(tone(1_000, 16_000));
    await told('tts', 'stop');
    const { transcript, timeline } = await updatesOnce(workbench, sessionId, ended(2));

    const about = messages.filter(({ type }) => ['stt', 'llm', 'tts', 'alert'].includes(type));
    expect(about.map(({ type, state }) => (typeof state === 'string' ? `${type} ${state}` : type))).toEqual([
      'stt',
      'llm',
      'tts start',
      ...Array.from({ length: about.length - 4 }, () => 'tts sentence_start'),
      'tts stop',
    ]);
    expect(about[0]).toMatchObject({ text: 'How loud are you?' });
    expect(about[3]).toMatchObject({ text: 'One moment.' });
    expect(transcript[0]).toMatchObject({ who: 'user', text: 'How loud are you?' });
    expect(timeline.find(({ lane }) => lane === 'tool')).toMatchObject({ state: 'ok' });
    expect((await calls.history({ limit: 1 }))[0]).toMatchObject({
      origin: 'realtime',
      source: { kind: 'device', id },
    });
    expect(heard.sampleRate).toBe(24_000);
    expect(heard.samples).toBe(device.heard().packets * 1_440);
    expect(device.heard()).toMatchObject({ malformed: 0 });
    expect(heard.samples).toBeGreaterThan(24_000);
    const { rows } = await frames.page({ source: 'device', connection: id, limit: 1_000 });
    expect(
      rows.some(
        ({ direction, type, summary }) => direction === 'out' && type === 'audio' && /audio frame/.test(summary),
      ),
    ).toBe(true);
  });
});
