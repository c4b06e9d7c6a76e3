import { RequestError } from '../../base/requestError.ts';
import { version } from '../../base/version.ts';
import type { ProxySettings, Settings } from '../../contract/types.ts';
import { anyAddress } from '../../server/address.ts';
import { ListenError } from '../../server/listenError.ts';
import { loadBalancer } from './listener/loadBalancer.ts';
import type { FeatureContext, SettingsChange } from '../context.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Trash } from '../trash/open.ts';
import { createDeviceHub, type DeviceHub } from './deviceHub.ts';
import { createEarlierDevices } from './earlierDevices.ts';
import type { TokenSecrets } from './entry/deviceToken.ts';
import { createKeptApprovals } from './entry/keptApprovals.ts';
import { listenerFacts, ownHostNames } from './listener/deviceAddresses.ts';
import { createDeviceListener, type DeviceListener } from './listener/deviceListener.ts';
import { createDevicesService } from './service.ts';

/** What the other features use of the devices. */
export type Devices = Pick<
  Awaited<ReturnType<typeof openDevices>>,
  'hub' | 'earlier' | 'approvals' | 'listener' | 'listenerFacts' | 'ownNames' | 'startVirtual' | 'say'
>;

/** Where devices connect. */
export interface DevicePlace {
  /** Port of the device listener; 0 picks a free one. */
  devicePort: number;
  /** Takes a free port if `devicePort` is taken. False: listening fails and `info().device.error` says why. */
  devicePortMayMove?: boolean;
  /** Address of the device listener, in place of the setting `openToNetwork`. */
  deviceHost?: string | undefined;
  /** The load balancer before it, in place of the settings. */
  proxy?: ProxySettings | undefined;
}

/** What opens the devices: the address, and how the port that they moved to is stored. */
type DeviceDeps = FeatureContext & {
  trash: Trash;
  frames: FrameLog;
  place: DevicePlace;
  tokenSecrets: TokenSecrets;
  changeSettings: (change: Pick<Settings, 'devicePort'>) => Promise<unknown>;
};

/** Opens the listener for devices, those that connect and virtual devices. They connect after `start`. */
export async function openDevices(context: DeviceDeps) {
  const { store, toolRegistryManager, events, settings, clock, onError, place, trash, frames } = context;
  await using parts = new AsyncDisposableStack();
  const { isProxy, publicUrl, hostNames } = loadBalancer(context, place.proxy);
  const listener = createDeviceListener({ portMayMove: place.devicePortMayMove ?? false, isProxy, onError });
  parts.defer(() => listener.close());
  /** Names of this machine that a `Host` header may have. */
  const ownNames = (): readonly string[] => [...ownHostNames(listener.info()), ...hostNames()];
  const earlierIds = new Set(await store.wire.ids());
  let names = new Map(Object.entries(settings().deviceNames));
  const givenName = (deviceId: string): string | undefined => names.get(deviceId);
  const approvals = createKeptApprovals(store.settings, onError);
  const hub = createDeviceHub({
    toolRegistryManager,
    listener,
    clock,
    listUserTools: () => settings().listUserTools,
    dangerousTools: () => settings().dangerousTools,
    clientInfo: { name: 'toolwire', version },
    frames,
    isTaken: (id) => earlierIds.has(id),
    isReserved: (registryId, id) => earlier.isReserved(registryId, id),
    formerFault: (id) => earlier.callFault(id),
    approvals,
    tokenSecrets: context.tokenSecrets,
    allowedHosts: ownNames,
    publicUrl,
    allowedOrigins: () => settings().deviceOrigins,
    givenName,
    offeredProtocol: (deviceId) => new Map(Object.entries(settings().offeredProtocols)).get(deviceId),
  });
  listener.onLeave(() => hub.disconnectAll('the address for devices was changed'));
  const onChange = (): void => void events.emit('changed', 'devices');
  hub.onChange((id) => {
    onChange();
    frames.touch(id);
  });
  const { listen, tryToListen } = createListening(context, listener);
  const told = { toolRegistryManager, givenName, onChange };
  const earlier = await createEarlierDevices({ wire: store.wire, hub, frames, approvals, bin: trash.bin, ...told });
  const { service, startVirtual, say, describe, close } = createDevicesService({
    hub,
    earlier,
    info: listener.info,
    publicUrl,
    async listen(port) {
      await listen(port);
      await context.changeSettings({ devicePort: listener.info().port });
    },
  });
  frames.describe = describe;
  // At the same time, so that the end of a virtual device is that of the workbench.
  parts.defer(async () => void (await Promise.all([hub.close(), close()])));
  events.on('settingsChanged', ({ next, isOf }) => {
    if (isOf('listUserTools')) refreshAllTools(hub, onError);
    if (!isOf('deviceNames')) return;
    names = new Map(Object.entries(next.deviceNames));
    hub.renamed();
    onChange();
  });
  const running = parts.move();
  return {
    service,
    hub,
    earlier,
    approvals,
    listener,
    ownNames,
    startVirtual,
    say,
    listenerFacts: () => listenerFacts(listener.info(), place, publicUrl()),
    /** Listens. A port that was set for this start takes precedence over the one in the settings. */
    start: () =>
      tryToListen((place.devicePortMayMove === true ? settings().devicePort : undefined) ?? place.devicePort),
    close: () => running.disposeAsync(),
  };
}

/** Opens the listener for the settings, and again when they change. */
function createListening({ events, settings, place }: DeviceDeps, listener: DeviceListener) {
  /** @throws {RequestError} If the port cannot be used. */
  async function listen(port: number): Promise<void> {
    try {
      await listener.open({ host: place.deviceHost ?? (settings().openToNetwork ? anyAddress : '127.0.0.1'), port });
    } catch (cause) {
      if (!(cause instanceof ListenError)) throw cause;
      throw new RequestError(cause.message, { field: 'port', cause });
    } finally {
      events.emit('changed', 'info');
    }
  }

  /** If it fails, the listener's `info` has the reason. */
  async function tryToListen(port: number): Promise<void> {
    try {
      await listen(port);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
  }

  async function move({ next, isOf }: SettingsChange): Promise<void> {
    const { listening, port } = listener.info();
    const wanted = next.devicePort ?? place.devicePort;
    // If a port cannot be used, `info` says so and names the program that uses it; the switch itself is saved.
    if (isOf('openToNetwork') && place.deviceHost === undefined) await tryToListen(listening ? port : wanted);
    else if (isOf('devicePort') && port !== wanted) await listen(wanted);
  }
  events.on('settingsChanged', (change) => change.waitUntil(move(change)));
  return { listen, tryToListen };
}

/** Lists the tools of every ready device again, beside one another; a device that fails keeps the list it has. */
function refreshAllTools(hub: DeviceHub, onError: FeatureContext['onError']): void {
  for (const { id, name, registryId } of hub.devices()) {
    if (registryId === undefined) continue;
    hub.refreshTools(id).catch((error: unknown) => onError(error, `listing the tools of ${name} again`));
  }
}
