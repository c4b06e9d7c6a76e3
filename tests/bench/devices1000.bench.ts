/**
 * A thousand devices of 32 tools each over real sockets, the devices in a process of their own. Memory is what this process
 * holds after all garbage is gone, processor time is this process's own; the devices' work is in neither.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { idsOf, openManyDevices } from '../core/features/devices/support/manyDevices.ts';
import type { CallCount } from '../core/features/devices/support/manyDevices.ts';

type Row = Record<string, string | number>;

const count = 1_000;
const tools = 32;
/** Bytes of heap that one device may cost, its tools and the log of its first frames and 32 calls included. */
const maxHeapPerDevice = 400_000;

interface Held {
  heap: number;
  resident: number;
}

function held(): Held {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}

/** Processor and wall time of a step, each in µs for one of `per`. */
async function timed<T>(per: number, step: () => Promise<T>): Promise<{ found: T; cpu: number; wall: number }> {
  const [cpuBefore, start] = [process.cpuUsage(), performance.now()];
  const found = await step();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { found, cpu: (user + system) / per, wall: ((performance.now() - start) * 1_000) / per };
}

function row(what: string, { cpu, wall }: { cpu: number; wall: number }, found?: CallCount): Row {
  return {
    what,
    'processor, µs each': cpu.toFixed(0),
    'a second': Math.round(1_000_000 / wall),
    'right / wrong / cut off / failed':
      found === undefined ? '' : [found.right, found.wrong, found.disconnected, found.failed].join(' / '),
  };
}

/** Connects, lists, calls, drops half, connects again. */
export async function run(): Promise<{ title: string; rows: Row[]; pass: boolean }> {
  const devices = await openManyDevices({ count, tools });
  try {
    const all = idsOf(count);
    const empty = held();
    const connecting = await timed(count, () => devices.connect());
    const connected = held();
    const calling = await timed(count * tools, () => devices.callAll(all, 64));
    const called = held();
    const dropping = await timed(count / 2, async () => {
      const calls = devices.callAll(all, count);
      await devices.drop({ step: 2 });
      return calls;
    });
    const again = await timed(count / 2, () => devices.connect({ step: 2 }));
    const recalling = await timed(count * tools, () => devices.callAll(all, 64));
    const idle = await timed(10, () => new Promise((resolve) => setTimeout(resolve, 10_000)));
    const perDevice = (now: Held, key: keyof Held) => (now[key] - empty[key]) / count;
    const memory = (what: string, now: Held): Row => ({
      what,
      'heap, kB each': (perDevice(now, 'heap') / 1_000).toFixed(0),
      'resident, kB each': (perDevice(now, 'resident') / 1_000).toFixed(0),
    });
    const counts = [calling.found, recalling.found];
    const { right, wrong, failed, disconnected } = dropping.found;
    return {
      title: `${count} virtual devices of ${tools} tools each`,
      rows: [
        row('connect and list, a device', connecting),
        memory('connected, a device', connected),
        row('the first call of each tool, a call', calling, calling.found),
        memory(`after ${tools} calls each, a device`, called),
        row('half of them drop during calls, a device', dropping, dropping.found),
        row('the half connects again, a device', again),
        row('each tool called again, a call', recalling, recalling.found),
        { what: 'all idle, a second of all', 'processor, µs each': idle.cpu.toFixed(0) },
      ],
      pass:
        counts.every((found) => found.right === count * tools) &&
        wrong === 0 &&
        failed + right + disconnected === count * tools &&
        perDevice(called, 'heap') <= maxHeapPerDevice,
    };
  } finally {
    await devices.close();
  }
}
