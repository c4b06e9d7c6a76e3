/** Conversations in the log: kept over restarts, bounded with the logs of devices, and removed. */
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import type { Frame, RealtimeSessionInfo, RealtimeUpdate } from '../../../../src-core/contract/types.ts';
import { asksForTheTime, talk } from './keptConversations.ts';
import { ended, openRealtime, updatesOnce, wholeConversation } from './support.ts';
import { dataFolder } from '../../workbench/openWorkbench.ts';
import { HandClock } from '../../realtime/beds.ts';
import { createConversationLog } from '../../../../src-core/features/realtime/log/conversationLog.ts';
import { openFrameLog } from '../../../../src-core/features/frames/frameLog.ts';
import { conversationLogId } from '../../../../src-core/features/realtime/log/conversationKeeper.ts';
import { openStore } from '../../../helpers/testStore.ts';
import { databasePath, frame } from '../../store/frames.ts';
import { framesOf, openTestStore } from '../../../helpers/testStore.ts';

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
  const { realtime, frames } = second.services;
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
  const { transcript, timeline, events, kept } = await wholeConversation(second, { id });
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
  expect(JSON.parse((await frames.frame({ source: 'realtime', connection: id, seq: named.seq })).text!)).toMatchObject({
    type: named.type,
  });
  await expect(realtime.sendText({ id, text: 'Hello' })).rejects.toThrow('This conversation has ended');
  await expect(frames.frame({ source: 'realtime', connection: id, seq: 10_000_000 })).rejects.toThrow(
    expect.objectContaining({ field: 'seq' }),
  );
});

test('removing one can be undone, also after a restart', async () => {
  const dataDir = dataFolder();
  const first = await openRealtime(asksForTheTime, { dataDir });
  const { id, update } = await talk(first);
  await first.services.realtime.remove({ id });
  expect(await first.services.realtime.sessions()).toEqual([]);
  await expect(first.services.realtime.updates({ id, revision: 0 })).rejects.toThrow('no longer exists');
  await first.close();

  const { services } = await openRealtime(undefined, { dataDir });
  const [removed] = services.removed.list();
  expect(removed).toMatchObject({ kind: 'realtime', of: id });
  expect(removed).not.toHaveProperty('untilClosed');
  await services.removed.restore({ id: removed!.id });
  expect({ ...update, ...(await services.realtime.updates({ id, revision: 0 })) }).toEqual(update);
});

test('a reason that names a secret is masked in the frame of the end', async () => {
  const store = openTestStore();
  const frames = await openFrameLog({ store: store.wire, limitMb: 64, onError: () => {} });
  onTestFinished(() => frames.close());
  const log = createConversationLog({
    wire: store.wire,
    captures: store.captures,
    frames,
    clock: new HandClock(),
    onChange: () => {},
    bin: { handle: () => {}, put: () => 'key' },
  });
  const reason = 'The server refused the key gsk_a8Kd02Lq7Zx.';
  const info = { id: 'one', label: 'Model', startedAt: 1, closedAt: 2, state: 'closed', reason } as RealtimeSessionInfo;
  const update = { session: info, transcript: [], timeline: [], revision: 0, more: false };
  log.begin({ id: 'one', info: () => info, updates: () => update }).end();
  expect((await log.info('one'))!.reason).toBe('The server refused the key gsk_***.');
  const kept = await framesOf(store.wire.log(conversationLogId('one')));
  expect(kept.at(-1)).toMatchObject({ kind: 'close', summary: 'The server refused the key gsk_***.' });
});

test('after a crash the conversation ends with what was written last', async () => {
  const store = openTestStore();
  const clock = new HandClock();
  const errors: unknown[] = [];
  const frames = await openFrameLog({ store: store.wire, limitMb: 64, onError: (e) => errors.push(e) });
  const open = () =>
    createConversationLog({
      wire: store.wire,
      captures: store.captures,
      frames,
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
    revision: 5,
    more: false,
  };
  const log = open();
  log
    .begin({
      id: 'one',
      info: () => info,
      updates: () => update,
    })
    .changed();
  clock.pass(500);
  frames.flush();
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
    timeline: [{ state: 'interrupted', to: clock.wall() }],
  });
  frames.close();
  expect(errors).toEqual([]);
});

test('50 conversations are kept; the oldest goes', async () => {
  const store = openTestStore();
  const clock = new HandClock();
  const frames = await openFrameLog({ store: store.wire, limitMb: 64, onError: () => {} });
  onTestFinished(() => frames.close());
  const log = createConversationLog({
    wire: store.wire,
    captures: store.captures,
    frames,
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
      revision: 0,
      more: false,
    };
    log
      .begin({
        id: info.id,
        info: () => info,
        updates: () => update,
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
  });
  expect((await log.list()).map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `talk-${53 - at}`));
});

test('a conversation begins on a disk that cannot be written, and the oldest goes when it can', async () => {
  let database: DatabaseSync | undefined;
  const store = openStore({ path: databasePath(), onOpen: (opened) => (database = opened) });
  onTestFinished(() => store.close());
  const frames = await openFrameLog({ store: store.wire, limitMb: 64, onError: () => {} });
  onTestFinished(() => frames.close());
  const log = createConversationLog({
    wire: store.wire,
    captures: store.captures,
    frames,
    clock: new HandClock(),
    onChange: () => {},
    bin: { handle: () => {}, put: () => 'key' },
  });
  const begin = async (at: number) => {
    await log.dropOldest();
    const info = { id: `talk-${at}`, label: '', startedAt: at, closedAt: at, state: 'closed' } as RealtimeSessionInfo;
    const update = { session: info, transcript: [], timeline: [], revision: 0, more: false };
    return log.begin({ id: info.id, info: () => info, updates: () => update });
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
  const text = 'x'.repeat(1_000);
  const write = async (of: Pick<Frame, 'source' | 'connection'>, first: number, count: number): Promise<void> => {
    let frames = Array.from({ length: count }, (_, at) => frame(first + at, { ...of, text }));
    while (store.wire.write({ frames, devices: [], limit }) === 'more') frames = [];
  };
  const [one, two] = [conversationLogId('one'), conversationLogId('two')];
  await write({ source: 'device', connection: 'device' }, 1, 30);
  await write({ source: 'realtime', connection: 'one' }, 101, 25);
  await write({ source: 'gateway', connection: 'connection-1' }, 201, 25);
  for (let at = 0; at < 10; at += 1) await write({ source: 'realtime', connection: 'two' }, 301 + 10 * at, 10);
  expect(await store.wire.log('device').bounds()).toEqual({ first: 1, last: 30 });
  expect(await store.wire.log(one).bounds()).toBeUndefined();
  expect(await store.wire.conversations()).toEqual([two]);
  expect((await store.wire.log(two).bounds())?.last).toBe(400);
});
