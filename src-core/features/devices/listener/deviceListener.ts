import type { ListenerInfo } from '../../../contract/types.ts';
import { anyAddress, isLoopback } from '../../../server/address.ts';
import { createListener, type ListenerOptions } from '../../../server/createListener.ts';
import { findFreePort } from '../../../server/findFreePort.ts';
import { ListenError } from '../../../server/listenError.ts';
import type { HttpRoute, Listener, UpgradeRoute } from '../../../server/types.ts';
import { OneAfterAnother } from '../../../base/oneAfterAnother.ts';
import type { ErrorReporter } from '../../../base/reportError.ts';

/** The address of the device listener. */
export interface DeviceListenerPlace {
  /** `127.0.0.1`, `0.0.0.0` for every address of this machine, or one of them; its loopback is added then. */
  host: string;
  /** 0 picks a free one. */
  port: number;
}

/** The device listener, which can move to another address and keeps its routes. */
export interface DeviceListener extends Pick<Listener, 'route' | 'upgrade'> {
  /**
   * Binds it there, or tries the same address again. Rejects with a `ListenError` if that fails; `info().error` is also
   * set if nothing listens then. A listener on another port stays open.
   */
  open(place: DeviceListenerPlace): Promise<void>;
  info(): ListenerInfo;
  /** Sets what ends the open connections before the listener leaves its address, which would cut them. */
  onLeave(endConnections: () => Promise<void>): void;
  /** Closes it permanently, also while it opens. */
  close(): Promise<void>;
}

/** An open listener, or two on one port that are used as one. */
type Bound = Pick<Listener, 'route' | 'upgrade' | 'close'>;

function joined(listeners: readonly Listener[]): Bound {
  const each = (add: (listener: Listener) => () => void): (() => void) => {
    const removals = listeners.map(add);
    return () => removals.forEach((remove) => remove());
  };
  return {
    route: (route) => each((listener) => listener.route(route)),
    upgrade: (route) => each((listener) => listener.upgrade(route)),
    close: async () => void (await Promise.all(listeners.map((listener) => listener.close()))),
  };
}

/** Makes the listener; `open` binds it. If a port is taken and nothing listens yet, it may move to a free one. */
export function createDeviceListener(options: BindOptions & { portMayMove: boolean }): DeviceListener {
  const routes = new Map<HttpRoute, () => void>();
  const upgrades = new Map<UpgradeRoute, () => void>();
  let listener: Bound | undefined;
  let here: ListenerInfo = { host: '127.0.0.1', port: 0, listening: false };
  let closed = false;
  let endConnections = (): Promise<void> => Promise.resolve();
  // One after the other: two at once would leak an open listener.
  const moves = new OneAfterAnother();

  /** The listener takes the routes over from the one before. */
  function mount(made: Bound): void {
    for (const route of routes.keys()) routes.set(route, made.route(route));
    for (const route of upgrades.keys()) upgrades.set(route, made.upgrade(route));
    listener = made;
  }

  /** New connections are refused first, so that none of them is cut. */
  const leave = (former: Bound): Promise<unknown> => Promise.all([former.close(), endConnections()]);

  async function move({ host, port: wanted }: DeviceListenerPlace): Promise<void> {
    if (closed) return;
    const former = listener;
    // On its own port the former one is in the way; on another it stays until the new one listens.
    const staysMeanwhile = former !== undefined && wanted !== here.port;
    if (!staysMeanwhile) {
      if (former !== undefined) await leave(former);
      listener = undefined;
    }
    try {
      const { made, port } = await bind(host, wanted, options);
      mount(made);
      here = { host, port, listening: true };
      if (staysMeanwhile) await leave(former);
    } catch (thrown) {
      await failed(thrown, host, wanted);
    }
  }

  async function failed(thrown: unknown, host: string, wanted: number): Promise<void> {
    if (!(thrown instanceof ListenError)) throw thrown;
    const inUse = thrown.code === 'port-in-use';
    const conflict = inUse ? { port: wanted, freePort: await findFreePort(host, wanted) } : undefined;
    if (conflict !== undefined && options.portMayMove && listener === undefined) {
      const { made, port } = await bind(host, conflict.freePort, options).catch(() => bind(host, 0, options));
      mount(made);
      here = { host, port, listening: true, conflict };
      return;
    }
    if (listener === undefined)
      here = { host, port: wanted, listening: false, error: thrown.message, ...(conflict && { conflict }) };
    throw thrown;
  }

  return {
    open: (place) => moves.run(() => move(place)),
    route: (route) => keep(routes, route, listener?.route(route)),
    upgrade: (route) => keep(upgrades, route, listener?.upgrade(route)),
    info: () => here,
    onLeave: (end) => void (endConnections = end),
    async close() {
      closed = true;
      await moves.ended();
      await listener?.close();
      listener = undefined;
      here = { host: here.host, port: here.port, listening: false };
    },
  };
}

/** Notes a route with what takes it out, once it is in a listener. Returns what takes it out for good. */
function keep<Route>(mounted: Map<Route, () => void>, route: Route, unmount: () => void = () => undefined): () => void {
  mounted.set(route, unmount);
  return () => {
    mounted.get(route)?.();
    mounted.delete(route);
  };
}

type BindOptions = Pick<ListenerOptions, 'isProxy'> & { onError: ErrorReporter };

async function bind(host: string, port: number, { isProxy, onError: report }: BindOptions) {
  const onError = (thrown: unknown): void => report(thrown, 'the device listener');
  const given = { onError, isProxy, maxConnections: 12_288 };
  const first = createListener({ host, port, ...given });
  const made = [first];
  const bound = await first.listen();
  // Devices of this machine, virtual ones included, need no approval: they connect over loopback.
  if (host !== anyAddress && !isLoopback(host)) {
    const second = createListener({ host: '127.0.0.1', port: bound.port, ...given });
    made.push(second);
    await second.listen().catch(async (error: unknown) => {
      await first.close();
      throw error;
    });
  }
  return { made: joined(made), port: bound.port };
}
