/** The connection to the broker: its problems, and what is refused while the broker takes nothing. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { systemClock, type Clock } from '../../../../src-core/base/clock.ts';
import { Bus } from '../../../../src-core/features/cluster/bus.ts';
import type { BusAddress } from '../../../../src-core/features/cluster/connectionOptions.ts';
import { piecesOf } from '../../../../src-core/features/cluster/messages.ts';
import { Pacing } from '../../../../src-core/features/cluster/pacing.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { memberOf } from './peer.ts';

async function openBus(address: BusAddress, clock: Clock = systemClock): Promise<Bus> {
  const onError = (error: unknown): void => expect.unreachable(String(error));
  const bus = new Bus(address, { prefix: 'tw.lab', name: 'test', clock, onChange: () => {}, onError });
  onTestFinished(() => bus.close());
  await expect.poll(() => bus.isConnected).toBe(true);
  return bus;
}

/** Resolves once the broker knows what `other` has subscribed to. */
async function untilSubscribed(bus: Bus, other: Bus): Promise<void> {
  let isReady = false;
  other.subscribe('ready', () => void (isReady = true));
  await expect.poll(() => (bus.publish('ready', {}), isReady)).toBe(true);
}

const mebibyte = 1_048_576;
const large = Buffer.from(JSON.stringify('x'.repeat(mebibyte - 2)));

describe.skipIf(natsServer === undefined)(`a broker that is stopped (${natsServer ?? noNatsServer})`, () => {
  test('makes further messages busy after 4 MiB, and takes all of the earlier ones when it goes on', async () => {
    const nats = await openNatsServer();
    const [bus, other] = [await openBus(nats), await openBus(nats)];
    let arrived = 0;
    other.subscribe('big', () => void (arrived += 1));
    await untilSubscribed(bus, other);
    await nats.pause();
    const outcomes: string[] = [];
    for (let at = 0; at < 20; at += 1) {
      outcomes.push(bus.publish('big', large));
      await setImmediate();
    }
    nats.signal('SIGCONT');
    const sent = outcomes.indexOf('busy');
    expect(sent).toBeLessThanOrEqual(4);
    expect(new Set(outcomes.slice(sent))).toEqual(new Set(['busy']));
    await expect.poll(() => arrived).toBe(sent);
    await expect.poll(() => bus.publish('big', large)).toBe('sent');
    expect(bus.outages).toBe(0);
  });

  test('keeps nothing of a connection that is lost', async () => {
    const nats = await openNatsServer();
    const bus = await openBus(nats);
    await nats.pause();
    while (bus.publish('big', large) === 'sent') await setImmediate();
    await nats.kill();
    await expect.poll(() => bus.isConnected).toBe(false);
    expect(bus.publish('big', large)).toBe('away');
    await nats.start();
    await expect.poll(() => bus.isConnected).toBe(true);
    await expect.poll(() => bus.publish('big', large)).toBe('sent');
  });

  test('makes long answers wait before other messages, and sends them later', async () => {
    const nats = await openNatsServer();
    const [bus, other] = [await openBus(nats), await openBus(nats)];
    const arrived: unknown[] = [];
    other.subscribe('long', ({ data }) => void arrived.push((data as { at: number }).at));
    await untilSubscribed(bus, other);
    const pacing = new Pacing({ bus, node: 'a', clock: systemClock });
    onTestFinished(() => pacing.close());
    const publish = vi.spyOn(bus, 'publish');
    await nats.pause();
    const pieces = [...piecesOf(Buffer.alloc(400_000), bus.maxBytes)];
    const sending = pacing.send('long', pieces);
    await setImmediate();
    expect(publish).toHaveBeenCalledTimes(6);
    expect(bus.publish('short', {})).toBe('sent');
    nats.signal('SIGCONT');
    await sending;
    await expect.poll(() => arrived).toEqual(Array.from({ length: 7 }, (_, piece) => piece * 65_536));
  });

  test('refuses calls as busy, and nothing runs', async () => {
    const nats = await openNatsServer();
    const onError = (): void => undefined;
    const caller = await openWorkbench({ cluster: memberOf(nats, 'caller'), onError });
    const owner = await openWorkbench({ cluster: memberOf(nats, 'owner'), onError });
    const { id, deviceId } = await addDevice(owner, { name: 'Lamp' });
    const lamp = () => caller.services.devices.list().find((device) => device.deviceId === deviceId);
    await until(caller, () => lamp()?.registryId !== undefined);
    await nats.pause();
    const question = 'x'.repeat(1_000_000);
    const results = [];
    for (let at = 0; at < 6; at += 1) {
      results.push(call(caller, lamp()!, 'self.camera.take_photo', { question }));
      await setImmediate();
    }
    const busy = await results.at(-1);
    nats.signal('SIGCONT');
    expect(busy?.result).toBe(
      'The broker is busy: it does not take messages fast enough. Try again later. Nothing ran.',
    );
    for (const result of results.slice(0, 4)) expect((await result).result).not.toContain('is busy');
    expect(owner.services.devices.list().map((device) => device.id)).toEqual([id]);
    expect(await call(caller, lamp()!, 'self.get_device_status')).toMatchObject({ status: 'success' });
  });
});

test.skipIf(natsServer === undefined)('a subscription that the broker refuses is made again', async () => {
  const users = (mayReceive: string) =>
    `authorization { users: [{ user: a, password: b, permissions: { subscribe: "${mayReceive}" } }] }`;
  const nats = await openNatsServer({ config: users('tw.lab.ready') });
  const url = nats.url.replace('//', '//a:b@');
  const clock = createManualClock();
  const [bus, other] = [await openBus({ url }, clock), await openBus({ url })];
  const denied =
    'The broker denies this node a permission: subscribe "tw.lab.beat". Add it to its user (docs/cluster.md).';
  let beats = 0;
  bus.subscribe('beat', () => void (beats += 1));
  for (let at = 0; at < 2; at += 1) {
    await expect.poll(() => (clock.advance(1_000), bus.problem)).toBe(denied);
    // It is asked for again before the problem ends.
    clock.advance(5_000);
    expect(bus.problem).toBeDefined();
    await untilSubscribed(other, bus);
  }
  await nats.kill();
  await expect.poll(() => bus.isConnected || other.isConnected).toBe(false);
  await nats.start({ config: users('tw.lab.>') });
  await expect.poll(() => bus.isConnected && other.isConnected).toBe(true);
  clock.advance(5_000);
  await expect.poll(() => (other.publish('beat', {}), beats)).toBeGreaterThan(0);
  expect(bus.problem).toBeUndefined();
});

describe.skipIf(natsServer === undefined)('a message that the broker refuses', () => {
  test.each([
    ['of one kind', (at: number) => `kind.${at}`, 'a permission: publish "tw.lab.kind.0". Add it to'],
    [
      'of 30 kinds',
      (at: number) => `${at}.call`,
      'permissions: publish "tw.lab.0.call" and at least 19 more. Add them to',
    ],
  ])('is one problem with the later ones %s', async (_, subjectOf, denied) => {
    const nats = await openNatsServer({
      config: 'authorization { users: [{ user: a, password: b, permissions: { publish: "tw.lab.ready" } }] }',
    });
    const url = nats.url.replace('//', '//a:b@');
    const clock = createManualClock();
    const [bus, other] = [await openBus({ url }, clock), await openBus({ url })];
    const problems = new Set<string | undefined>();
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 30; at += 1) bus.publish(subjectOf(round * 30 + at), {});
      // The broker answers in order.
      await untilSubscribed(bus, other);
      await untilSubscribed(other, bus);
      await expect.poll(() => (clock.advance(1_000), bus.problem)).toBeDefined();
      problems.add(bus.problem);
    }
    expect([...problems]).toEqual([`The broker denies this node ${denied} its user (docs/cluster.md).`]);
  });

  test('is no longer named once the broker permits it, while another one is refused', async () => {
    const nats = await openNatsServer({
      config: 'authorization { users: [{ user: a, password: b, permissions: { publish: "tw.lab.ready" } }] }',
    });
    const url = nats.url.replace('//', '//a:b@');
    const clock = createManualClock();
    const [bus, other] = [await openBus({ url }, clock), await openBus({ url })];
    const publish = async (...subjects: string[]) => {
      for (const subject of subjects) bus.publish(subject, {});
      await untilSubscribed(bus, other);
      await untilSubscribed(other, bus);
      clock.advance(1_000);
    };
    await publish('one.call', 'two.call');
    await expect.poll(() => (clock.advance(1_000), bus.problem)).toContain('"tw.lab.one.call" and 1 more.');
    for (let passed = 0; passed < 12_000; passed += 4_000) {
      clock.advance(3_000);
      await publish('two.call');
    }
    await expect.poll(() => bus.problem).toContain('a permission: publish "tw.lab.two.call". Add it');
  });

  test('is a problem of the connection for 10 s, and again if another one is refused', async () => {
    const nats = await openNatsServer({
      config: 'authorization { users: [{ user: a, password: b, permissions: { publish: "tw.lab.allowed" } }] }',
    });
    const clock = createManualClock();
    const denied =
      'The broker denies this node a permission: publish "tw.lab.forbidden". Add it to its user (docs/cluster.md).';
    const bus = await openBus({ url: nats.url.replace('//', '//a:b@') }, clock);
    for (let at = 0; at < 2; at += 1) {
      bus.publish('forbidden', {});
      await expect.poll(() => (clock.advance(1_000), bus.problem)).toBe(denied);
      expect(bus.isConnected).toBe(true);
      clock.advance(9_999);
      expect(bus.problem).toBeDefined();
      clock.advance(1);
      expect(bus.problem).toBeUndefined();
    }
  });
});
