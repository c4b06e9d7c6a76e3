/** Conversations in the log: kept over restarts, bounded with the logs of devices, and removed. */
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import type { RealtimeSessionInfo, RealtimeUpdate } from '../../../../src-core/contract/types.ts';
import { asksForTheTime, talk } from './keptConversations.ts';
import { ended, openRealtime, updatesOnce } from './support.ts';
import { dataFolder } from '../../workbench/openWorkbench.ts';
import { HandClock } from '../../realtime/beds.ts';
import { createConversationLog } from '../../../../src-core/features/realtime/log/conversationLog.ts';
import { createWireRecorder } from '../../../../src-core/features/devices/log/wireRecorder.ts';
import { sharedLogId } from '../../../../src-core/store/frameTypes.ts';
import { openStore } from '../../../helpers/storeInProcess.ts';
import { databasePath } from '../../store/frames.ts';
import { framesOf, openTestStore } from '../../../helpers/storeInProcess.ts';

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
  expect(await realtime.sessions()).toMatchObject([
    {
      id,
      state: 'closed',
      reason: 'Toolwire is closing.',
      instructions: 'Be brief.',
      toolChoice: 'all',
      counts: { calls: 1 },
    },
  ]);
  const { transcript, timeline, events, kept } = await realtime.updates({
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
  expect(JSON.parse((await realtime.event({ id, seq: named.seq })).text)).toMatchObject({ type: named.type });
  await expect(realtime.sendText({ id, text: 'Hello' })).rejects.toThrow('This conversation has ended');
  await expect(realtime.event({ id, seq: 10_000_000 })).rejects.toThrow(expect.objectContaining({ field: 'seq' }));
});

test('removing one can be undone, also after a restart', async () => {
  const dataDir = dataFolder();
  const first = await openRealtime(asksForTheTime, { dataDir });
  const { id, update } = await talk(first);
  await first.services.realtime.remove({ id });
  expect(await first.services.realtime.sessions()).toEqual([]);
  await expect(first.services.realtime.updates({ id, revision: 0 })).rejects.toThrow('not there any more');
  await first.close();

  const { services } = await openRealtime(undefined, { dataDir });
  const [removed] = services.removed.list();
  expect(removed).toMatchObject({ kind: 'realtime', of: id });
  expect(removed).not.toHaveProperty('untilClosed');
  await services.removed.restore({ id: removed!.id });
  expect(await services.realtime.updates({ id, revision: 0 })).toEqual(update);
});

test('a reason that names a secret is masked in the frame of the end', async () => {
  const store = openTestStore();
  const recorder = await createWireRecorder({ store: store.wire, limitMb: 64, onFrame: () => {}, onError: () => {} });
  onTestFinished(() => recorder.close());
  const log = createConversationLog({
    wire: store.wire,
    captures: store.captures,
    recorder,
    clock: new HandClock(),
    onChange: () => {},
    bin: { handle: () => {}, put: () => 'key' },
  });
  const reason = 'The server refused the key gsk_a8Kd02Lq7Zx.';
  const info = { id: 'one', label: 'Model', startedAt: 1, closedAt: 2, state: 'closed', reason } as RealtimeSessionInfo;
  const update = { session: info, transcript: [], timeline: [], events: [], revision: 0, more: false };
  log.begin({ id: 'one', info: () => info, updates: () => update, event: () => ({ text: '' }) }).end();
  expect((await log.info('one'))!.reason).toBe('The server refused the key gsk_***.');
  const frames = await framesOf(store.wire.log(sharedLogId('realtime', 'one')));
  expect(frames.at(-1)).toMatchObject({ kind: 'close', summary: 'The server refused the key gsk_***.' });
});

test('after a crash the conversation ends with what was written last', async () => {
  const store = openTestStore();
  const clock = new HandClock();
  const errors: unknown[] = [];
  const recorder = await createWireRecorder({
    store: store.wire,
    limitMb: 64,
    onFrame: () => {},
    onError: (e) => errors.push(e),
  });
  const open = () =>
    createConversationLog({
      wire: store.wire,
      captures: store.captures,
      recorder,
      clock,
      onChange: () => {},
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
    events: [],
    revision: 5,
    more: false,
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
  expect(await log.list()).toEqual([]);

  const after = open();
  expect(await after.list()).toMatchObject([
    {
      id: 'one',
      state: 'closed',
      reason: expect.stringMatching(/does not hold the end/),
    },
  ]);
  expect(await after.updates({ id: 'one', revision: 0 })).toMatchObject({
    transcript: [{ text: 'It is', partial: false, interrupted: true }],
    timeline: [{ state: 'interrupted', to: 2_000 }],
  });
  await recorder.close();
  expect(errors).toEqual([]);
});

test('50 conversations are kept; the oldest goes', async () => {
  const store = openTestStore();
  const clock = new HandClock();
  const recorder = await createWireRecorder({
    store: store.wire,
    limitMb: 64,
    onFrame: () => {},
    onError: () => {},
  });
  onTestFinished(() => recorder.close());
  const log = createConversationLog({
    wire: store.wire,
    captures: store.captures,
    recorder,
    clock,
    onChange: () => {},
    bin: { handle: () => {}, put: () => 'key' },
  });
  for (let at = 1; at <= 53; at += 1) {
    await log.dropOldest();
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
  await log.dropOldest();
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
  expect((await log.list()).map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `talk-${53 - at}`));
});

test('a conversation begins on a disk that cannot be written, and the oldest goes when it can', async () => {
  let database: DatabaseSync | undefined;
  const store = openStore({ path: databasePath(), onOpen: (opened) => (database = opened) });
  onTestFinished(() => store.close());
  const recorder = await createWireRecorder({ store: store.wire, limitMb: 64, onFrame: () => {}, onError: () => {} });
  onTestFinished(() => recorder.close());
  const log = createConversationLog({
    wire: store.wire,
    captures: store.captures,
    recorder,
    clock: new HandClock(),
    onChange: () => {},
    bin: { handle: () => {}, put: () => 'key' },
  });
  const begin = async (at: number) => {
    await log.dropOldest();
    const info = { id: `talk-${at}`, label: '', startedAt: at, closedAt: at, state: 'closed' } as RealtimeSessionInfo;
    const update = { session: info, transcript: [], timeline: [], events: [], revision: 0, more: false };
    return log.begin({ id: info.id, info: () => info, updates: () => update, event: () => ({ text: '' }) });
  };
  for (let at = 1; at <= 51; at += 1) (await begin(at)).end();
  expect(await log.list()).toHaveLength(51);
  database?.exec('PRAGMA query_only = 1');
  (await begin(52)).end();
  database?.exec('PRAGMA query_only = 0');
  await begin(53);
  expect(await log.list()).toHaveLength(50);
  expect(await log.info('talk-1')).toBeUndefined();
});

test('conversations do not push out what devices said; the oldest frames of them go first', async () => {
  const store = openTestStore();
  const limit = 100_000;
  const frameOf = (deviceId: string, seq: number) => ({
    seq,
    deviceId,
    at: 1,
    direction: 'in',
    kind: 'text',
    type: 'mcp',
    summary: '',
    bytes: 1_000,
    text: 'x'.repeat(1_000),
  });
  const write = async (deviceId: string, first: number, count: number): Promise<void> => {
    let frames = Array.from({ length: count }, (_, at) => frameOf(deviceId, first + at));
    while (await store.wire.write({ frames, devices: [], limit })) frames = [];
  };
  const [one, two] = [sharedLogId('realtime', 'one'), sharedLogId('realtime', 'two')];
  await write('device', 1, 30);
  await write(one, 101, 25);
  await write(sharedLogId('gateway'), 201, 25);
  for (let at = 0; at < 10; at += 1) await write(two, 301 + 10 * at, 10);
  expect(await store.wire.log('device').bounds()).toEqual({ first: 1, last: 30 });
  expect(await store.wire.log(one).bounds()).toBeUndefined();
  expect(await store.wire.sharedLogs('realtime')).toEqual([two]);
  expect((await store.wire.log(two).bounds())?.last).toBe(400);
});
