import { networkInterfaces } from 'node:os';

import type { ListenerInfo } from '../api/types.ts';
import { createListener } from '../server/createListener.ts';
import type { ErrorReporter } from '../tools/reportError.ts';
import type { HttpRoute, Listener, UpgradeRoute } from '../server/types.ts';

/** The device listener, which can move to another address and keeps its routes. */
export interface DeviceListener extends Pick<Listener, 'route' | 'upgrade'> {
  /** Binds this machine only, or every address of it. Never rejects: `info().error` says why nothing listens. */
  open(options: { toNetwork: boolean }): Promise<void>;
  info(): ListenerInfo;
  /** Where devices of this machine reach it, then, where it is open, those of each network. */
  origins(): string[];
  /** Ends it for good, also while it opens. */
  close(): Promise<void>;
}

/** Makes the listener; `open` binds it. A port that is taken is an error to show, unless it may move to a free one. */
export function createDeviceListener(options: {
  port: number;
  portMayMove: boolean;
  onError: ErrorReporter;
}): DeviceListener {
  const routes = new Map<HttpRoute, () => void>();
  const upgrades = new Map<UpgradeRoute, () => void>();
  let listener: Listener | undefined;
  let port = options.port;
  let host = '127.0.0.1';
  let error: string | undefined;
  let closed = false;
  // One after the other: two at once would leave a listener open that nobody holds.
  let last: Promise<void> = Promise.resolve();

  async function bind(wanted: number): Promise<void> {
    const made = createListener({
      host,
      port: wanted,
      onError: (thrown) => options.onError(thrown, 'the device listener'),
    });
    for (const route of routes.keys()) routes.set(route, made.route(route));
    for (const route of upgrades.keys()) upgrades.set(route, made.upgrade(route));
    ({ port } = await made.listen());
    listener = made;
  }

  async function move({ toNetwork }: { toNetwork: boolean }): Promise<void> {
    if (closed) return;
    await listener?.close();
    listener = undefined;
    error = undefined;
    host = toNetwork ? '0.0.0.0' : '127.0.0.1';
    try {
      await bind(port).catch((thrown: unknown) => {
        if (!options.portMayMove || port === 0) throw thrown;
        return bind(0);
      });
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown);
    }
  }

  return {
    open: (where) => (last = last.then(() => move(where))),
    route(route) {
      routes.set(route, listener?.route(route) ?? (() => undefined));
      return () => {
        routes.get(route)?.();
        routes.delete(route);
      };
    },
    upgrade(route) {
      upgrades.set(route, listener?.upgrade(route) ?? (() => undefined));
      return () => {
        upgrades.get(route)?.();
        upgrades.delete(route);
      };
    },
    info: () => ({ host, port, listening: listener !== undefined, ...(error !== undefined && { error }) }),
    origins: () => [
      `127.0.0.1:${port}`,
      ...(host === '0.0.0.0' ? networkAddresses().map((address) => `${address}:${port}`) : []),
    ],
    async close() {
      closed = true;
      await last;
      await listener?.close();
      listener = undefined;
    },
  };
}

/** IPv4 only: the firmware's URL reader takes the first colon for a port (spec/xiaozhi.md §1.1). */
function networkAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
  );
}
