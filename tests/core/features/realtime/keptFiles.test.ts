/** Files of kept conversations: exported and imported, without secrets, and refused by line and field. */
import { expect, test } from 'vitest';

import { asksForTheTime, exportOf, talk } from './keptConversations.ts';
import { ended, openRealtime, updatesOnce, wholeConversation } from './support.ts';

test('an export is imported as it was, and exported again the same', async () => {
  const from = await openRealtime(asksForTheTime);
  const { id, update } = await talk(from);
  const { fileName, text } = await exportOf(from, { conversationId: id });
  expect(fileName).toMatch(/^Scripted \d{4}-\d\d-\d\d\.jsonl$/);
  expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({
    version: 2,
    origin: 'realtime',
    conversation: { id },
  });
  expect(from.services.devices.list()).toEqual([]);
  expect((await from.services.frames.page({ source: 'device', limit: 10 })).rows).toEqual([]);

  const to = await openRealtime();
  const { captures, realtime, frames } = to.services;
  const { captureId } = await captures.importPart({ name: 'talk.jsonl', text });
  const [capture] = await captures.list();
  expect(capture).toMatchObject({
    id: captureId,
    origin: 'realtime',
    callCount: 1,
    device: { deviceId: id },
  });
  expect(capture).not.toHaveProperty('about');
  expect(await wholeConversation(to, { captureId })).toEqual(update);
  const { seq } = update.events[0]!;
  expect(await frames.frame({ captureId, seq })).toEqual(
    await from.services.frames.frame({ source: 'realtime', connection: id, seq }),
  );
  expect((await exportOf(to, { captureId })).text).toBe(text);
  await expect(captures.exportPart({ conversationId: 'none' })).rejects.toThrow('There is no conversation "none"');
  await expect(async () => captures.asVirtual({ captureId })).rejects.toThrow(/Only logs of devices/);
  await expect(realtime.updates({ captureId: 'none', revision: 0 })).rejects.toThrow(
    /no capture "none" of a conversation/,
  );
});

test('updates and events are of one conversation: an open or ended one, or an imported one', async () => {
  const from = await openRealtime(asksForTheTime);
  const { id } = await talk(from);
  const to = await openRealtime();
  const { captures, realtime, frames } = to.services;
  const { captureId } = await captures.importPart({
    name: 'talk.jsonl',
    text: (await exportOf(from, { conversationId: id })).text,
  });
  const { sessionId } = await realtime.open({});
  const message = 'Name a conversation as id or an imported one as captureId, and only one of them.';
  for (const both of [
    { id: sessionId, captureId },
    { id: 'none', captureId },
  ]) {
    const refused = expect.objectContaining({ field: 'captureId', message });
    await expect(realtime.updates({ ...both, revision: 0 })).rejects.toThrow(refused);
  }
  const missing = expect.objectContaining({ field: 'id', message });
  await expect(realtime.updates({ revision: 0 })).rejects.toThrow(missing);
  await expect(frames.frame({ source: 'realtime', seq: 1 })).rejects.toThrow(
    expect.objectContaining({ field: 'connection', message: 'Name a conversation: each has a log of its own.' }),
  );
  expect((await realtime.updates({ id: sessionId, revision: 0 })).session.id).toBe(sessionId);
  expect((await realtime.updates({ captureId, revision: 0 })).session.id).toBe(id);
});

test('secrets are masked in what is kept and exported, and nothing else is changed', async () => {
  const key = 'a8Kd02Lq7Zx';
  const output = `{"note":"as it was: \\"1.0\\"","access_token":"${key}"}`;
  const workbench = await openRealtime({
    turns: [{ say: 'Let me look.', calls: [{ name: 'get_time', arguments: { api_key: key, note: 'kept' } }] }],
  });
  const { realtime, frames } = workbench.services;
  const { sessionId: id } = await realtime.open({
    instructions: `Be brief.\nsk-${key}`,
    plan: 'downstream',
    session: { extra: { metadata: { authorization: `Basic ${key}`, place: 'Rome', note: `say "Bearer ${key}"` } } },
  });
  await realtime.sendText({ id, text: `password="${key} ${key}" and the time?` });
  const asked = await updatesOnce(workbench, id, ({ timeline }) => timeline.some(({ state }) => state === 'waiting'));
  const { callId } = asked.timeline.find(({ state }) => state === 'waiting')!.call!;
  await realtime.answerCall({ id, callId, output });
  const open = await updatesOnce(workbench, id, ({ timeline }) => timeline.some(({ call }) => call?.output === output));
  expect(JSON.stringify(open)).toContain(key);
  await realtime.close({ id });

  const { session, transcript, timeline, events } = await wholeConversation(workbench, { id });
  expect(session.instructions).toBe('Be brief.\nsk-***');
  expect(session.session.extra).toEqual({
    metadata: { authorization: '***', place: 'Rome', note: 'say "Bearer ***"' },
  });
  expect(transcript.find(({ who }) => who === 'user')!.text).toBe('password="***" and the time?');
  const { call } = timeline.filter(({ lane }) => lane === 'tool').at(-1)!;
  expect(JSON.parse(call!.argumentsJson)).toEqual({ api_key: '***', note: 'kept' });
  expect(call!.output).toBe('{"note":"as it was: \\"1.0\\"","access_token":"***"}');
  const wire = events.filter(({ type }) => type.includes('.'));
  expect(wire.map(({ type }) => type)).toContain('session.update');
  for (const { seq, type } of wire)
    expect(JSON.parse((await frames.frame({ source: 'realtime', connection: id, seq })).text!)).toMatchObject({ type });
  const { text } = await exportOf(workbench, { conversationId: id });
  expect(text).not.toContain(key);
  expect((await workbench.services.captures.importPart({ name: 'a', text })).frames).toBeGreaterThan(0);
});

function timelineText(change: object): string {
  const item = { seq: 1, lane: 'response', from: Date.now(), label: '', state: 'ok', events: [] };
  return JSON.stringify({ ...item, ...change });
}

function nested(depth: number): object {
  return { a: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as object };
}

test.each([
  ['a header without a conversation', 0, { conversation: undefined }, /Line 1 .*"conversation" must be an object/],
  [
    'a state that does not exist',
    0,
    { conversation: { state: 'asleep' } },
    /Line 1 .*"conversation\.state" must be one of/,
  ],
  [
    'a note that is not valid JSON',
    1,
    { kind: 'note', type: 'transcript', text: '{' },
    /Line 2 .*"text" of a transcript must be JSON/,
  ],
  [
    'a transcript entry without an id',
    1,
    { kind: 'note', type: 'transcript', text: '{}' },
    /Line 2 .*"transcript\.id" must be a string/,
  ],
  [
    'an item in no lane',
    1,
    { kind: 'note', type: 'timeline', text: '{"seq":1,"lane":"x"}' },
    /Line 2 .*"timeline\.lane"/,
  ],
  [
    'a begin that no date can be',
    0,
    { conversation: { startedAt: 9e15 } },
    /Line 1 .*"conversation\.startedAt" must be/,
  ],
  ['an export at no date', 0, { exportedAt: 9e15 }, /Line 1 .*"exportedAt" must be a time in ms/],
  [
    'an end after years',
    0,
    { conversation: { closedAt: 8e15 } },
    /Line 1 .*"conversation\.closedAt" must be within 366 days of "conversation\.startedAt"/,
  ],
  [
    'a latency of years',
    0,
    { conversation: { latency: { last: 1e12, count: 1 } } },
    /Line 1 .*"conversation\.latency\.last" must be 31622400000 or less/,
  ],
  ['a frame after years', 1, { at: 8e15 }, /Line 2 .*"at" must be within 366 days of "conversation\.startedAt"/],
  [
    'an item after years',
    1,
    { kind: 'note', type: 'timeline', text: timelineText({ from: 8e15 }) },
    /Line 2 .*"timeline\.from" must be within 366 days of "conversation\.startedAt"/,
  ],
  [
    'an item that ends at no date',
    1,
    { kind: 'note', type: 'timeline', text: timelineText({ to: Number.MAX_SAFE_INTEGER }) },
    /Line 2 .*"timeline\.to" must be/,
  ],
  [
    'settings that are nested too deeply',
    0,
    { conversation: { session: { extra: nested(300) } } },
    /Line 1 .*"conversation\.session\.extra" must be JSON that is nested at most 200 levels deep/,
  ],
  ['a type that is too long', 1, { type: 'x'.repeat(201) }, /Line 2 .*"type" must be a string of at most 200/],
])('a file with %s is refused by line and field, and nothing stays', async (_, line, change, words) => {
  const workbench = await openRealtime(asksForTheTime);
  const { id } = await talk(workbench);
  const { captures } = workbench.services;
  const lines = (await exportOf(workbench, { conversationId: id })).text.split('\n');
  const wrong = JSON.parse(lines[line]!) as { conversation?: object };
  if ('conversation' in change && change.conversation !== undefined)
    Object.assign(wrong.conversation!, change.conversation);
  else Object.assign(wrong, change);
  lines[line] = JSON.stringify(wrong);
  await expect(captures.importPart({ name: 'a', text: lines.join('\n') })).rejects.toThrow(words);
  expect(await captures.list()).toEqual([]);
});

test('a header that is nested 20,000 levels deep is refused by its field', async () => {
  const workbench = await openRealtime(asksForTheTime);
  const { id } = await talk(workbench);
  const { captures } = workbench.services;
  const [header = '{}'] = (await exportOf(workbench, { conversationId: id })).text.split('\n');
  const read = JSON.parse(header) as { conversation: { session: object } };
  read.conversation.session = { extra: { a: 'here' } };
  const text = JSON.stringify(read).replace('"here"', '['.repeat(20_000) + ']'.repeat(20_000));
  await expect(captures.importPart({ name: 'a', text })).rejects.toThrow(
    /"conversation\.session\.extra" must be JSON that is nested/,
  );
  expect(await captures.list()).toEqual([]);
});

test('fields of a conversation that nobody knows are not stored', async () => {
  const workbench = await openRealtime(asksForTheTime);
  const { id, update } = await talk(workbench);
  const { captures } = workbench.services;
  const { text } = await exportOf(workbench, { conversationId: id });
  const [header = '', ...lines] = text.split('\n');
  const withJunk = lines.map((line) =>
    line.replace('"kind":"note"', '"kind":"note","junk":1').replace('"text":"{', '"text":"{\\"junk\\":1,'),
  );
  const junk = 'x'.repeat(300_000);
  const about = header.replace('"conversation":{', `"conversation":{"junk":"${junk}","__proto__":{"junk":1},`);
  const { captureId } = await captures.importPart({ name: 'a', text: [about, ...withJunk].join('\n') });
  const found = await wholeConversation(workbench, { captureId });
  expect(found).toEqual(update);
  const again = (await exportOf(workbench, { captureId })).text.split('\n');
  expect(again[0]).not.toContain('junk');
  const notes = again.filter((line) => line.includes('"kind":"note"'));
  expect(notes.length).toBeGreaterThan(0);
  expect(notes.join('')).not.toContain('junk');
});

test('an event that is not known is kept as one that failed, and no other', async () => {
  const workbench = await openRealtime({ turns: [{ say: 'Yes.', fault: 'unknown-event' }] });
  const { realtime } = workbench.services;
  const { sessionId: id } = await realtime.open({ instructions: 'Be brief.' });
  await realtime.sendText({ id, text: 'Are you there?' });
  const { events } = await updatesOnce(workbench, id, ended(1));
  const unknown = events.filter((event) => event.failed === true).map(({ seq }) => seq);
  expect(unknown.length).toBeGreaterThan(0);
  await realtime.close({ id });
  const frames = (await exportOf(workbench, { conversationId: id })).text
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as { seq: number; kind: string; failed?: boolean });
  const failed = frames.filter((frame) => frame.kind === 'text' && frame.failed === true).map(({ seq }) => seq);
  expect(failed).toEqual(unknown);
});
