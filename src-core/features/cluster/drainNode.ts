import type { Clock } from '../../base/clock.ts';
import type { Calls } from '../calls/service.ts';
import type { Devices } from '../devices/open.ts';

/** ms in which running calls may end. */
const drainMs = 30_000;
/** Each `stepMs`, a hundredth of the devices is disconnected, and at least this many: they do not all reconnect at once. */
const minStep = 10;
const stepMs = 100;

/** Refuses new devices, lets running calls end, and disconnects the devices that have none, until none is left. */
export async function drainNode(options: {
  clock: Clock;
  hub: Pick<Devices['hub'], 'drain' | 'speaking' | 'device'>;
  running: Calls['running'];
  /** The devices of this node. */
  ids: () => string[];
}): Promise<void> {
  const { clock, hub, running, ids } = options;
  const begun = clock.now();
  const connected = (): string[] => ids().filter((id) => hub.speaking(id) !== undefined);
  const step = Math.max(minStep, Math.ceil(connected().length / 100));
  const closed = new WeakSet<object>();
  hub.drain();
  for (;;) {
    const calls = running().filter(({ task }) => task === undefined);
    const left = connected();
    if ((left.length === 0 && calls.length === 0) || clock.now() - begun >= drainMs) return;
    const busy = new Set(calls.map(({ toolId }) => toolId));
    const idle = left.flatMap((id) => {
      const connection = hub.speaking(id);
      const isBusy = busy.has(hub.device(id)?.registryId ?? '');
      return connection === undefined || closed.has(connection) || isBusy ? [] : [connection];
    });
    for (const connection of idle.slice(0, step)) {
      closed.add(connection);
      connection.close(1012, 'Toolwire is restarting');
    }
    await new Promise<void>((resolve) => clock.after(stepMs, resolve));
  }
}
