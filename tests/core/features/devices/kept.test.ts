import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { openStore } from '../../../helpers/testStore.ts';
import type { Store } from '../../../../src-core/store/types.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';
import { createKeptApprovals } from '../../../../src-core/features/devices/entry/keptApprovals.ts';
import { TokenSecrets } from '../../../../src-core/features/cluster/tokenSecrets.ts';
import { systemClock } from '../../../../src-core/base/clock.ts';

/** Opens the same database again and again, as restarts do. */
function openAgain(): () => ReturnType<typeof openStore>['settings'] {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-kept-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return () => {
    const store = openStore({ path: join(dir, 'toolwire.db') });
    onTestFinished(() => store.close());
    return store.settings;
  };
}

const secretOf = (settings: Store['settings']): Uint8Array =>
  new TokenSecrets({ store: { settings } as Store, clock: systemClock, onError: unexpected }).list()[0];

const unexpected = (error: unknown): never => {
  throw error;
};

test('approvals outlive a restart, also those taken back', () => {
  const open = openAgain();
  const before = createKeptApprovals(open(), unexpected);
  before.set('02:00:00:00:00:01', 'client-1');
  before.set('02:00:00:00:00:02', '');
  before.set('02:00:00:00:00:03', 'client-3');
  expect(before.delete('02:00:00:00:00:03')).toBe(true);
  expect(before.delete('02:00:00:00:00:09')).toBe(false);

  const after = createKeptApprovals(open(), unexpected);
  expect(after.get('02:00:00:00:00:01')).toBe('client-1');
  expect(after.get('02:00:00:00:00:02')).toBe('');
  expect(after.get('02:00:00:00:00:03')).toBeUndefined();
  expect(after.get('__proto__')).toBeUndefined();
});

test('each approval and each end of one is announced, also if the end cannot be stored', () => {
  const store = openAgain()();
  const approvals = createKeptApprovals(store, unexpected);
  const heard: string[] = [];
  const stop = approvals.onChange((deviceId) => heard.push(deviceId));
  approvals.set('board 7', '');
  approvals.set('board 8', '');
  expect(heard).toEqual(['board 7', 'board 8']);
  const full = createKeptApprovals(
    {
      ...store,
      set() {
        throw new Error('The disk is full.');
      },
    },
    unexpected,
  );
  full.onChange((deviceId) => heard.push(deviceId));
  expect(() => full.delete('board 7')).toThrow('The disk is full.');
  expect(heard.at(-1)).toBe('board 7');
  stop();
  approvals.delete('board 8');
  expect(heard.at(-1)).toBe('board 7');
});

test('approvals that are given together are stored once, also if the work fails; a removal is stored at once', () => {
  const settings = openAgain()();
  const writes: unknown[] = [];
  const counted = { ...settings, set: (key: string, value: JsonValue) => void writes.push([key, value]) };
  const approvals = createKeptApprovals(counted, unexpected);
  approvals.together(() => {
    for (let count = 0; count < 100; count += 1) approvals.set(`board ${count}`, '');
    expect(writes).toHaveLength(0);
    approvals.delete('board 0');
    expect(writes).toHaveLength(1);
  });
  expect(writes).toHaveLength(2);
  const fails = (): void =>
    approvals.together(() => {
      approvals.set('board 0', '');
      throw new Error('no answer');
    });
  expect(fails).toThrow('no answer');
  expect(writes).toHaveLength(3);
  approvals.together(() => undefined);
  expect(writes).toHaveLength(3);
  approvals.set('board 1', 'c');
  expect(writes).toHaveLength(4);
});

test('of more than ten thousand approvals the oldest go, which is no removal; one given again counts as new', () => {
  const open = openAgain();
  const settings = open();
  settings.set(
    'devices.approvals',
    Array.from({ length: 10_000 }, (_, index) => [`device-${index}`, 'c']),
  );
  const approvals = createKeptApprovals(settings, unexpected);
  const heard: string[] = [];
  approvals.onChange((deviceId) => heard.push(deviceId));
  approvals.set('device-0', 'other');
  approvals.set('device-10000', 'c');
  const kept = createKeptApprovals(open(), unexpected);
  expect([kept.get('device-0'), kept.get('device-1'), kept.get('device-10000')]).toEqual(['other', undefined, 'c']);
  expect(heard).toEqual(['device-0', 'device-10000']);
});

test.each<JsonValue>(['nonsense', [['only-one']], [[1, 2]], { a: 'b' }])(
  'a stored list that is %j counts as empty and is reported',
  (stored) => {
    const settings = openAgain()();
    settings.set('devices.approvals', stored);
    const errors: unknown[] = [];
    const approvals = createKeptApprovals(settings, (error) => errors.push(error));
    expect(errors).toHaveLength(1);
    approvals.set('a', 'b');
    expect(createKeptApprovals(settings, unexpected).get('a')).toBe('b');
  },
);

test('creates the secret once, and again if the stored one is invalid', () => {
  const open = openAgain();
  const first = Buffer.from(secretOf(open()));
  expect(first).toHaveLength(32);
  expect(Buffer.from(secretOf(open()))).toEqual(first);
  for (const stored of ['short', 7, null]) {
    const settings = open();
    settings.set('devices.tokenSecret', stored);
    const drawn = Buffer.from(secretOf(settings));
    expect(drawn).toHaveLength(32);
    expect(drawn).not.toEqual(first);
  }
});
