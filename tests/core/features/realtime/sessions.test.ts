/** The conversations of a workbench: several at once, bounded, closed half-way, refused where the input is wrong. */
import { expect, test } from 'vitest';

import { openRealtime, say, ended, setScript, updatesOnce, toneBase64, wholeConversation } from './support.ts';

const greets = { turns: [{ heard: 'Hello?', say: 'Good day.' }] };

test('two conversations at once keep apart', async () => {
  const workbench = await openRealtime(greets);
  const { realtime } = workbench.services;
  const { profiles } = await realtime.profiles();
  const other = await realtime.saveProfile({
    kind: 'scripted',
    label: 'Qwen',
    dialect: 'qwen',
    script: { turns: [{ heard: 'Bye', say: 'Farewell.' }] },
  });
  expect(profiles).toMatchObject([{ id: 'scripted', isDefault: true, hasKey: false }]);
  const [one, two] = await Promise.all([realtime.open({}), realtime.open({ profileId: other.id })]);
  await Promise.all([say(workbench, one.sessionId), say(workbench, two.sessionId, 48_000)]);
  const first = await updatesOnce(workbench, one.sessionId, ended(1));
  const second = await updatesOnce(workbench, two.sessionId, ended(1));
  expect(first.transcript.map(({ text }) => text)).toEqual(['Hello?', 'Good day.']);
  expect(second.transcript.map(({ text }) => text)).toEqual(['Bye', 'Farewell.']);
  expect(second.session).toMatchObject({ dialect: 'qwen', inputSampleRate: 16_000, outputSampleRate: 24_000 });
});

test('what is new comes by revision, and an event with its text', async () => {
  const workbench = await openRealtime(greets);
  const { realtime, frames } = workbench.services;
  const { sessionId: id } = await realtime.open({});
  const before = await wholeConversation(workbench, { id });
  const seqs = before.events.map(({ seq }) => seq);
  expect(seqs).toEqual(before.events.map((_, at) => (seqs[0] ?? 0) + at));
  expect(await realtime.updates({ id, revision: before.revision })).toMatchObject({
    transcript: [],
    timeline: [],
  });
  await realtime.sendText({ id, text: 'Hello' });
  await updatesOnce(workbench, id, ended(1));
  const after = await realtime.updates({ id, revision: before.revision });
  const { events } = await wholeConversation(workbench, { id });
  expect(events[seqs.length]!.seq).toBeGreaterThan(seqs.at(-1)!);
  expect(after.transcript.map(({ who, text }) => [who, text])).toEqual([
    ['user', 'Hello'],
    ['bot', 'Good day.'],
  ]);
  const response = after.timeline.find(({ lane }) => lane === 'response')!;
  expect(response.label).toBe('Good day.');
  expect(
    JSON.parse((await frames.frame({ source: 'realtime', connection: id, seq: response.events[0]! })).text!),
  ).toMatchObject({
    type: 'response.created',
  });
  await expect(frames.frame({ source: 'realtime', connection: id, seq: 99_999 })).rejects.toThrow(
    expect.objectContaining({ field: 'seq' }),
  );
});

test('16 conversations are open at most; closed ones stay in the list', async () => {
  const workbench = await openRealtime(greets);
  const { realtime } = workbench.services;
  const ids: string[] = [];
  for (let at = 0; at < 16; at += 1) ids.push((await realtime.open({})).sessionId);
  await expect(realtime.open({})).rejects.toThrow(/16 conversations/);
  await expect(realtime.remove({ id: ids[0]! })).rejects.toThrow(expect.objectContaining({ field: 'id' }));
  await realtime.close({ id: ids[3]! });
  await realtime.close({ id: ids[3]! });
  expect((await realtime.updates({ id: ids[3]!, revision: 0 })).session).toMatchObject({ state: 'closed' });
  const { sessionId } = await realtime.open({});
  expect(new Set((await realtime.sessions()).map(({ id }) => id))).toEqual(new Set([sessionId, ...ids]));
  await realtime.close({ id: sessionId });
  await realtime.remove({ id: sessionId });
  expect(await realtime.sessions()).toHaveLength(16);
});

test('one that is called off before the model greets is closed and stays to be looked at', async () => {
  const workbench = await openRealtime(greets);
  const { realtime } = workbench.services;
  const stop = new AbortController();
  const opening = realtime.open({}, stop.signal);
  stop.abort(new Error('changed my mind'));
  await expect(opening).rejects.toThrow('changed my mind');
  expect(await realtime.sessions()).toMatchObject([{ state: 'closed', reason: 'changed my mind' }]);
});

test('a profile that changes ends its conversations', async () => {
  const workbench = await openRealtime(greets);
  const { realtime } = workbench.services;
  await realtime.open({});
  await setScript(workbench, { turns: [{ say: 'Something else.' }] });
  expect((await realtime.sessions())[0]).toMatchObject({ state: 'closed', reason: expect.stringMatching(/changed/) });
  await realtime.open({});
});

test('wrong input names its field', async () => {
  const workbench = await openRealtime(greets);
  const { realtime } = workbench.services;
  const { sessionId: id } = await realtime.open({});
  await expect(realtime.open({ profileId: 'none' })).rejects.toMatchObject({ field: 'profileId' });
  await expect(realtime.open({ deviceId: 'none' })).rejects.toMatchObject({ field: 'deviceId' });
  await expect(realtime.sendAudio({ id, pcm: 'AAAA', sampleRate: 16_000 })).rejects.toMatchObject({ field: 'pcm' });
  await expect(realtime.sendText({ id, text: '  ' })).rejects.toMatchObject({ field: 'text' });
  await expect(realtime.updates({ id: 'none', revision: 0 })).rejects.toThrow(expect.objectContaining({ field: 'id' }));
  await expect(realtime.playOnDevice({ deviceId: 'none', wav: 'AAAA' })).rejects.toMatchObject({ field: 'wav' });
  await realtime.close({ id });
  const late = realtime.sendAudio({ id, pcm: toneBase64(16_000), sampleRate: 16_000 });
  await expect(late).rejects.toMatchObject({ field: 'id' });
  await expect(realtime.interrupt({ id })).rejects.toMatchObject({ field: 'id' });
});
