/** Conversations in the log: kept over restarts, bounded with the logs of devices, removed, exported and imported. */
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import type { RealtimeSessionInfo, RealtimeUpdate } from '../../../../src-core/api/types.ts';
import { ended, openRealtime, updatesOnce } from './support.ts';
import { dataFolder } from '../openWorkbench.ts';
import { HandClock } from '../../realtime/beds.ts';
import { createConversationLog } from '../../../../src-core/workbench/realtime/log/conversationLog.ts';
import { createWireRecorder } from '../../../../src-core/workbench/wireRecorder.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { sharedLogId } from '../../../../src-core/store/frameTypes.ts';
import { openStore } from '../../../../src-core/store/openStore.ts';
import { databasePath, openTestStore } from '../../store/frames.ts';

const asksForTheTime = {
  turns: [{ say: 'Let me look.', calls: [{ name: 'get_time' }], then: 'It is late.' }],
};

/** A conversation in which a tool is called, and that has ended. */
async function talk(workbench: Workbench): Promise<{ id: string; update: RealtimeUpdate }> {
  const { realtime } = workbench.services;
  const { sessionId: id } = await realtime.open({ instructions: 'Be brief.' });
  await realtime.sendText({ id, text: 'What time is it?' });
  const { session } = await updatesOnce(workbench, id, ended(2));
  expect(session.counts.calls).toBe(1);
  await realtime.closeSession(id);
  return { id, update: realtime.updates({ id, revision: 0 }) };
}

function exportOf({ services: { captures } }: Workbench, source: { conversationId: string } | { captureId: string }) {
  let text = '';
  let after: number | undefined;
  for (;;) {
    const part = captures.exportPart({ ...source, after });
    text += part.text;
    if (part.next === undefined) return { fileName: part.fileName, text };
    after = part.next;
  }
}

test('a conversation is there after a restart, with its words, its calls and its events', async () => {
  const dataDir = dataFolder();
  const first = await openRealtime(asksForTheTime, { dataDir });
  const { sessionId: id } = await first.services.realtime.open({
    instructions: 'Be brief.',
  });
  await first.services.realtime.sendText({ id, text: 'What time is it?' });
  const open = await updatesOnce(first, id, ended(2));
  await first.close();

  const second = await openRealtime(undefined, { dataDir });
  const { realtime } = second.services;
  expect(realtime.sessions()).toMatchObject([
    {
      id,
      state: 'closed',
      reason: 'Toolwire is closing.',
      instructions: 'Be brief.',
      counts: { calls: 1 },
    },
  ]);
  const { transcript, timeline, events, kept } = realtime.updates({
    id,
    revision: 0,
  });
  expect(kept).toBe(true);
  const words = ({ transcript }: RealtimeUpdate) => transcript.map(({ id, who, text }) => ({ id, who, text }));
  const last = new Map(transcript.map((entry) => [entry.id, entry]));
  expect(words({ ...open, transcript: [...last.values()] })).toEqual(words(open));
  expect([...last.values()].every(({ partial }) => !partial)).toBe(true);
  const call = timeline.filter(({ lane }) => lane === 'tool').at(-1)!;
  expect(call).toMatchObject({
    state: 'ok',
    call: { toolName: 'clock_get_time', isError: false },
  });
  expect(events.slice(0, open.events.length)).toEqual(open.events);
  const named = events.find(({ seq }) => seq === call.events[0])!;
  expect(JSON.parse(realtime.event({ id, seq: named.seq }).text)).toMatchObject({ type: named.type });
  await expect(realtime.sendText({ id, text: 'Hello' })).rejects.toThrow('This conversation has ended');
  expect(() => realtime.event({ id, seq: 10_000_000 })).toThrow(expect.objectContaining({ field: 'seq' }));
});

test('removing one can be undone, also after a restart', async () => {
  const dataDir = dataFolder();
  const first = await openRealtime(asksForTheTime, { dataDir });
  const { id, update } = await talk(first);
  first.services.realtime.removeSession(id);
  expect(first.services.realtime.sessions()).toEqual([]);
  expect(() => first.services.realtime.updates({ id, revision: 0 })).toThrow('not there any more');
  await first.close();

  const { services } = await openRealtime(undefined, { dataDir });
  const [removed] = services.removed.list();
  expect(removed).toMatchObject({ kind: 'realtime', of: id });
  expect(removed).not.toHaveProperty('untilClosed');
  await services.removed.restore(removed!.id);
  expect(services.realtime.updates({ id, revision: 0 })).toEqual(update);
});

test('an export is imported as it was, and exported again the same', async () => {
  const from = await openRealtime(asksForTheTime);
  const { id, update } = await talk(from);
  const { fileName, text } = exportOf(from, { conversationId: id });
  expect(fileName).toMatch(/^Scripted \d{4}-\d\d-\d\d\.jsonl$/);
  expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({
    version: 2,
    origin: 'realtime',
    conversation: { id },
  });
  expect(from.services.devices.list()).toEqual([]);
  expect(from.services.logs.log({ limit: 10 }).rows).toEqual([]);

  const to = await openRealtime();
  const { captures, realtime } = to.services;
  const { captureId } = captures.importPart({ name: 'talk.jsonl', text });
  const [capture] = captures.list();
  expect(capture).toMatchObject({
    id: captureId,
    origin: 'realtime',
    callCount: 1,
    device: { deviceId: id },
  });
  expect(capture).not.toHaveProperty('about');
  expect(realtime.updates({ captureId, revision: 0 })).toEqual(update);
  const { seq } = update.events[0]!;
  expect(realtime.event({ captureId, seq })).toEqual(from.services.realtime.event({ id, seq }));
  expect(exportOf(to, { captureId }).text).toBe(text);
  expect(() => captures.exportPart({ conversationId: 'none' })).toThrow('There is no conversation "none"');
  await expect(async () => captures.asVirtual({ captureId })).rejects.toThrow(/Only logs of devices/);
  expect(() => realtime.updates({ captureId: 'none', revision: 0 })).toThrow(/no capture "none" of a conversation/);
});

test('secrets are masked in what is kept and exported, and nothing else is changed', async () => {
  const key = 'a8Kd02Lq7Zx';
  const output = `{"note":"as it was: \\"1.0\\"","access_token":"${key}"}`;
  const workbench = await openRealtime({
    turns: [{ say: 'Let me look.', calls: [{ name: 'get_time', arguments: { api_key: key, note: 'kept' } }] }],
  });
  const { realtime } = workbench.services;
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
  await realtime.closeSession(id);

  const { session, transcript, timeline, events } = realtime.updates({ id, revision: 0 });
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
  for (const { seq, type } of wire) expect(JSON.parse(realtime.event({ id, seq }).text)).toMatchObject({ type });
  const { text } = exportOf(workbench, { conversationId: id });
  expect(text).not.toContain(key);
  expect(workbench.services.captures.importPart({ name: 'a', text }).frames).toBeGreaterThan(0);
});

test('a reason that names a secret is masked in the frame of the end', () => {
  const store = openTestStore();
  const recorder = createWireRecorder({ store: store.wire, limitMb: 64, onFrame: () => {}, onError: () => {} });
  onTestFinished(() => recorder.close());
  const log = createConversationLog({
    ...{ wire: store.wire, captures: store.captures, recorder, clock: new HandClock(), onChange: () => {} },
    bin: { handle: () => {}, put: () => 'key' },
  });
  const reason = 'The server refused the key gsk_a8Kd02Lq7Zx.';
  const info = { id: 'one', label: 'Model', startedAt: 1, closedAt: 2, state: 'closed', reason } as RealtimeSessionInfo;
  const update = { session: info, transcript: [], timeline: [], events: [], revision: 0, more: false };
  log.begin({ id: 'one', info: () => info, updates: () => update, event: () => ({ text: '' }) }).end();
  expect(log.info('one')!.reason).toBe('The server refused the key gsk_***.');
  const frames = [...store.wire.log(sharedLogId('realtime', 'one')).frames()];
  expect(frames.at(-1)).toMatchObject({ kind: 'close', summary: 'The server refused the key gsk_***.' });
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
    'a note that is no JSON',
    1,
    { kind: 'note', type: 'transcript', text: '{' },
    /Line 2 .*"text" of a transcript must be JSON/,
  ],
  ['an entry of nobody', 1, { kind: 'note', type: 'transcript', text: '{}' }, /Line 2 .*"transcript\.id" must be text/],
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
  ['a type that is too long', 1, { type: 'x'.repeat(201) }, /Line 2 .*"type" must be a text of at most 200/],
])('a file with %s is refused by line and field, and nothing stays', async (_, line, change, words) => {
  const workbench = await openRealtime(asksForTheTime);
  const { id } = await talk(workbench);
  const { captures } = workbench.services;
  const lines = exportOf(workbench, { conversationId: id }).text.split('\n');
  const wrong = JSON.parse(lines[line]!) as { conversation?: object };
  if ('conversation' in change && change.conversation !== undefined)
    Object.assign(wrong.conversation!, change.conversation);
  else Object.assign(wrong, change);
  lines[line] = JSON.stringify(wrong);
  expect(() => captures.importPart({ name: 'a', text: lines.join('\n') })).toThrow(words);
  expect(captures.list()).toEqual([]);
});

test('a header that is nested 20,000 levels deep is refused by its field', async () => {
  const workbench = await openRealtime(asksForTheTime);
  const { id } = await talk(workbench);
  const { captures } = workbench.services;
  const [header = '{}'] = exportOf(workbench, { conversationId: id }).text.split('\n');
  const read = JSON.parse(header) as { conversation: { session: object } };
  read.conversation.session = { extra: { a: 'here' } };
  const text = JSON.stringify(read).replace('"here"', '['.repeat(20_000) + ']'.repeat(20_000));
  expect(() => captures.importPart({ name: 'a', text })).toThrow(
    /"conversation\.session\.extra" must be JSON that is nested/,
  );
  expect(captures.list()).toEqual([]);
});

test('fields of a conversation that nobody knows are not stored', async () => {
  const workbench = await openRealtime(asksForTheTime);
  const { id, update } = await talk(workbench);
  const { captures, realtime } = workbench.services;
  const { text } = exportOf(workbench, { conversationId: id });
  const [header = '', ...lines] = text.split('\n');
  const withJunk = lines.map((line) =>
    line.replace('"kind":"note"', '"kind":"note","junk":1').replace('"text":"{', '"text":"{\\"junk\\":1,'),
  );
  const junk = 'x'.repeat(300_000);
  const about = header.replace('"conversation":{', `"conversation":{"junk":"${junk}","__proto__":{"junk":1},`);
  const { captureId } = captures.importPart({ name: 'a', text: [about, ...withJunk].join('\n') });
  const found = realtime.updates({ captureId, revision: 0 });
  expect(found).toEqual(update);
  const again = exportOf(workbench, { captureId }).text.split('\n');
  expect(again[0]).not.toContain('junk');
  const notes = again.filter((line) => line.includes('"kind":"note"'));
  expect(notes.length).toBeGreaterThan(0);
  expect(notes.join('')).not.toContain('junk');
});

test('after a crash the conversation ends with what was written last', () => {
  const store = openTestStore();
  const clock = new HandClock();
  const errors: unknown[] = [];
  const recorder = createWireRecorder({
    store: store.wire,
    limitMb: 64,
    onFrame: () => {},
    onError: (e) => errors.push(e),
  });
  const open = () =>
    createConversationLog({
      ...{
        wire: store.wire,
        captures: store.captures,
        recorder,
        clock,
        onChange: () => {},
      },
      bin: { handle: () => {}, put: () => 'key' },
    });
  const info = {
    id: 'one',
    label: 'Model',
    startedAt: 1_000,
    state: 'connected',
  } as RealtimeSessionInfo;
  const update: RealtimeUpdate = {
    session: info,
    transcript: [{ id: 'bot-1', who: 'bot', text: 'It is', partial: true, at: 2_000 }],
    timeline: [
      {
        seq: 1,
        lane: 'response',
        from: 2_000,
        label: '',
        state: 'running',
        events: [],
      },
    ],
    ...{ events: [], revision: 5, more: false },
  };
  const log = open();
  log
    .begin({
      id: 'one',
      info: () => info,
      updates: () => update,
      event: () => ({ text: '' }),
    })
    .changed();
  clock.pass(500);
  expect(log.list()).toEqual([]);

  const after = open();
  expect(after.list()).toMatchObject([
    {
      id: 'one',
      state: 'closed',
      reason: expect.stringMatching(/does not hold the end/),
    },
  ]);
  expect(after.updates({ id: 'one', revision: 0 })).toMatchObject({
    transcript: [{ text: 'It is', partial: false, interrupted: true }],
    timeline: [{ state: 'interrupted', to: 2_000 }],
  });
  recorder.close();
  expect(errors).toEqual([]);
});

test('50 conversations are kept; the oldest goes', () => {
  const store = openTestStore();
  const clock = new HandClock();
  const recorder = createWireRecorder({
    store: store.wire,
    limitMb: 64,
    onFrame: () => {},
    onError: () => {},
  });
  onTestFinished(() => recorder.close());
  const log = createConversationLog({
    ...{
      wire: store.wire,
      captures: store.captures,
      recorder,
      clock,
      onChange: () => {},
    },
    bin: { handle: () => {}, put: () => 'key' },
  });
  for (let at = 1; at <= 53; at += 1) {
    const info = {
      id: `talk-${at}`,
      label: 'Model',
      startedAt: at,
      closedAt: at,
      state: 'closed',
    } as RealtimeSessionInfo;
    const update = {
      session: info,
      transcript: [],
      timeline: [],
      events: [],
      revision: 0,
      more: false,
    };
    log
      .begin({
        id: info.id,
        info: () => info,
        updates: () => update,
        event: () => ({ text: '' }),
      })
      .end();
  }
  log.begin({
    id: 'open',
    info: () =>
      ({
        id: 'open',
        label: '',
        startedAt: 99,
        state: 'connected',
      }) as RealtimeSessionInfo,
    updates: () => ({}) as RealtimeUpdate,
    event: () => ({ text: '' }),
  });
  expect(log.list().map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `talk-${53 - at}`));
});

test('a conversation begins on a disk that cannot be written, and the oldest goes when it can', () => {
  let database: DatabaseSync | undefined;
  const store = openStore({ path: databasePath(), onOpen: (opened) => (database = opened) });
  onTestFinished(() => store.close());
  const recorder = createWireRecorder({ store: store.wire, limitMb: 64, onFrame: () => {}, onError: () => {} });
  onTestFinished(() => recorder.close());
  const log = createConversationLog({
    ...{ wire: store.wire, captures: store.captures, recorder, clock: new HandClock(), onChange: () => {} },
    bin: { handle: () => {}, put: () => 'key' },
  });
  const begin = (at: number) => {
    const info = { id: `talk-${at}`, label: '', startedAt: at, closedAt: at, state: 'closed' } as RealtimeSessionInfo;
    const update = { session: info, transcript: [], timeline: [], events: [], revision: 0, more: false };
    return log.begin({ id: info.id, info: () => info, updates: () => update, event: () => ({ text: '' }) });
  };
  for (let at = 1; at <= 51; at += 1) begin(at).end();
  expect(log.list()).toHaveLength(51);
  database?.exec('PRAGMA query_only = 1');
  begin(52).end();
  database?.exec('PRAGMA query_only = 0');
  begin(53);
  expect(log.list()).toHaveLength(50);
  expect(log.info('talk-1')).toBeUndefined();
});

test('conversations do not push out what devices said; the oldest frames of them go first', () => {
  const store = openTestStore();
  const limit = 100_000;
  const frameOf = (deviceId: string, seq: number) => ({
    ...{
      seq,
      deviceId,
      at: 1,
      direction: 'in',
      kind: 'text',
      type: 'mcp',
      summary: '',
      bytes: 1_000,
    },
    text: 'x'.repeat(1_000),
  });
  const write = (deviceId: string, first: number, count: number): void => {
    let frames = Array.from({ length: count }, (_, at) => frameOf(deviceId, first + at));
    while (store.wire.write({ frames, devices: [], limit })) frames = [];
  };
  const [one, two] = [sharedLogId('realtime', 'one'), sharedLogId('realtime', 'two')];
  write('device', 1, 30);
  write(one, 101, 25);
  write(sharedLogId('gateway'), 201, 25);
  for (let at = 0; at < 10; at += 1) write(two, 301 + 10 * at, 10);
  expect(store.wire.log('device').bounds()).toEqual({ first: 1, last: 30 });
  expect(store.wire.log(one).bounds()).toBeUndefined();
  expect(store.wire.sharedLogs('realtime')).toEqual([two]);
  expect(store.wire.log(two).bounds()?.last).toBe(400);
});

test('an event that is not known is kept as one that failed, and no other', async () => {
  const workbench = await openRealtime({ turns: [{ say: 'Yes.', fault: 'unknown-event' }] });
  const { realtime } = workbench.services;
  const { sessionId: id } = await realtime.open({ instructions: 'Be brief.' });
  await realtime.sendText({ id, text: 'Are you there?' });
  const { events } = await updatesOnce(workbench, id, ended(1));
  const unknown = events.filter((event) => event.unknown === true).map(({ seq }) => seq);
  expect(unknown.length).toBeGreaterThan(0);
  await realtime.closeSession(id);
  const frames = exportOf(workbench, { conversationId: id })
    .text.split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as { seq: number; kind: string; failed?: boolean });
  const failed = frames.filter((frame) => frame.kind === 'text' && frame.failed === true).map(({ seq }) => seq);
  expect(failed).toEqual(unknown);
});
