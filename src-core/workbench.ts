import { join } from 'node:path';

import { createContractServer } from './rpc/serveWire.ts';
import { contract } from './contract/contract.ts';
import { createRouter } from './rpc/router.ts';
import type { LiveWork, Settings, WorkbenchInfo } from './contract/types.ts';
import { createDeviceHub } from './features/devices/deviceHub.ts';
import { VisionAccess } from './features/vision/visionAccess.ts';
import { VisionDesk } from './features/vision/visionDesk.ts';
import { createToolDiscoveryService } from './engine/discovery.ts';
import { defaultDataDir } from './dataDir.ts';
import { logFilePath } from './logFile.ts';
import { createProtocolRegistry } from './protocols/registry.ts';
import { createJsonProtocol } from './protocols/json/jsonProtocol.ts';
import { createVcpProtocol } from './protocols/vcp/vcpProtocol.ts';
import { anyAddress } from './server/address.ts';
import { createFileSecrets } from './store/fileSecrets.ts';
import type { SecretStore } from './store/secretStore.ts';
import { StorageError } from './store/storageError.ts';
import { createDirectoryTreeTool } from './registry/builtin/directoryTree.ts';
import { createTimeTool } from './registry/builtin/time.ts';
import { ModuleLoader } from './registry/modules/moduleLoader.ts';
import { systemClock } from './base/clock.ts';
import { RequestError } from './base/requestError.ts';
import { createToolRegistryManager } from './registry/toolRegistryManager.ts';
import { version } from './base/version.ts';
import { createCallsService } from './features/calls/service.ts';
import { createCallTracker } from './features/calls/callTracker.ts';
import { createCapturesService } from './features/captures/service.ts';
import { callPolicy } from './features/calls/callPolicy.ts';
import { createChatService } from './features/chat/service.ts';
import {
  deviceAddresses,
  deviceUrls,
  listenerFacts,
  ownHostNames,
} from './features/devices/listener/deviceAddresses.ts';
import { createDeviceListener, createListening } from './features/devices/listener/deviceListener.ts';
import { createCollectionsService } from './features/collections/service.ts';
import { createDevicesService } from './features/devices/service.ts';
import { createEarlierDevices } from './features/devices/earlierDevices.ts';
import { createGatewayService } from './features/gateway/service.ts';
import { createHostsService } from './features/hosts/service.ts';
import { createKeptApprovals } from './features/devices/entry/keptApprovals.ts';
import { keptTokenSecret } from './features/devices/entry/keptTokenSecret.ts';
import { createFramesService } from './features/frames/service.ts';
import { openFrameLog } from './features/frames/frameLog.ts';
import { storedDevice } from './features/devices/storedDevice.ts';
import { createModelsService } from './features/models/service.ts';
import { createParserService } from './features/parser/service.ts';
import { createRunsService } from './features/calls/runs/runsService.ts';
import { openOwnedStore } from './ownedStore.ts';
import type { OpenStoreChannel } from './store/storeChannel.ts';
import { pictureAnswerer } from './features/vision/pictureAnswerer.ts';
import { createRealtimeService, type RealtimeServiceOptions } from './features/realtime/service.ts';
import { recoverCalls } from './features/calls/recoverCalls.ts';
import { createRemovedBin } from './features/trash/removedBin.ts';
import { createRemovedKeys } from './features/trash/removedKeys.ts';
import { refreshAllTools } from './features/devices/refreshAllTools.ts';
import { createSettingsService } from './features/settings/service.ts';
import { createToolsService } from './features/discovery/service.ts';
import { createEventBus } from './features/events.ts';
import { openWorkbenchFacts } from './features/workbench/service.ts';
import { createVisionService } from './features/vision/service.ts';
import { capturesWithoutRemoved, chatsWithoutRemoved } from './features/trash/withoutRemoved.ts';

export interface WorkbenchOptions {
  /** Holds the database, the modules folder and the running workbench's address. Created if missing. */
  dataDir: string;
  /** Port of the device listener; 0 picks a free one. */
  devicePort: number;
  /** Takes a free port if `devicePort` is taken. False: listening fails and `info().device.error` says why. */
  devicePortMayMove?: boolean;
  /** How a terminal of this machine runs `toolwire`. */
  command?: string;
  /** Address of the device listener, in place of the setting `openToNetwork`. */
  deviceHost?: string;
  shell: WorkbenchInfo['shell'];
  /** Keeps the models' keys; by default a file in `dataDir`. */
  secrets?: SecretStore;
  /** The clock of realtime models and the pace of scripted voices, for tests; real time by default. */
  realtime?: Pick<RealtimeServiceOptions, 'clock' | 'playClock' | 'paceMs'>;
  /** Opens the store, for tests. */
  openChannel?: OpenStoreChannel;
  /** Checks all outputs against the contract, for tests. */
  checkOutputs?: boolean;
  /** Called with errors that belong to no request. */
  onError: (error: unknown, where?: string) => void;
}

/** Everything built and running; the shells only carry its contract to a window. */
export type Workbench = Awaited<ReturnType<typeof createWorkbench>>;

/**
 * Builds the workbench: store, tools, modules, devices, contract. With a window, modules may load after it returns
 * (`services.tools.whenLoaded`). If the device port is taken, the workbench starts and `info().device.error` says why.
 * @throws DataDirInUseError if another process owns the data directory; Error if the directory cannot be used.
 */
export async function createWorkbench(options: WorkbenchOptions) {
  const { dataDir } = options;
  // The store has reported a failing disk, once.
  const onError: WorkbenchOptions['onError'] = (error, where) => {
    if (!(error instanceof StorageError)) options.onError(error, where);
  };
  const modulesDir = join(dataDir, 'modules');
  await using opened = new AsyncDisposableStack();
  /** Closes a part when the workbench closes, or when it cannot start; the last opened part first. */
  const closing = (close: () => unknown): void =>
    opened.defer(async () => {
      try {
        await close();
      } catch (error) {
        onError(error, 'closing');
      }
    });
  const events = createEventBus();
  const store = await openOwnedStore({
    dataDir,
    onError: options.onError,
    onChange: () => events.emit('changed', 'info'),
    openChannel: options.openChannel,
  });
  closing(store.close);
  const toolRegistryManager = createToolRegistryManager({ onError });
  toolRegistryManager.onChange(() => events.emit('changed', 'tools'));
  const protocols = createProtocolRegistry();
  const protocol = createVcpProtocol();
  protocols.register(protocol);
  protocols.register(createJsonProtocol());
  const discovery = createToolDiscoveryService({ toolRegistryManager, protocols });
  closing(discovery.close);

  const listener = createDeviceListener({
    portMayMove: options.devicePortMayMove ?? false,
    onError,
    endConnections: () => hub.disconnectAll('the address for devices was changed'),
  });
  closing(listener.close);
  const settings = createSettingsService({
    store: store.settings,
    onError,
    async onChange(next, previous) {
      events.emit('changed', 'settings');
      frames.setLimit(next.captureLimitMb);
      const { calls, mb } = next.historyLimit;
      if (calls !== previous.historyLimit.calls || mb !== previous.historyLimit.mb) setHistoryLimit(next);
      const shown = ({ toolCallConfig, dangerousTools }: Settings) => JSON.stringify([toolCallConfig, dangerousTools]);
      if (shown(next) !== shown(previous)) {
        events.emit('changed', 'tools');
        realtime.toolsChanged();
        hosts.toolsChanged();
      }
      if (next.listUserTools !== previous.listUserTools) refreshAllTools(hub, onError);
      const { listening, port } = listener.info();
      const wanted = next.devicePort ?? options.devicePort;
      // If a port cannot be used, `info` says so and names the program that uses it; the switch itself is saved.
      if (next.openToNetwork !== previous.openToNetwork && options.deviceHost === undefined) {
        await tryToListen(listening ? port : wanted);
      } else if (next.devicePort !== previous.devicePort && port !== wanted) await listen(wanted);
    },
  });
  const setHistoryLimit = ({ historyLimit: { calls, mb } }: Settings): void => {
    const limits = { calls, bytes: mb * 1024 * 1024 };
    store.history.setLimits(limits).catch((error: unknown) => onError(error, 'limiting the history'));
  };
  setHistoryLimit(settings.get());
  const { listen, tryToListen } = createListening({
    listener,
    host: () => options.deviceHost ?? (settings.get().openToNetwork ? anyAddress : '127.0.0.1'),
    onChange: () => events.emit('changed', 'info'),
  });
  const frames = await openFrameLog({ store: store.wire, limitMb: settings.get().captureLimitMb, onError });
  closing(() => frames.close());
  const vision = {
    access: new VisionAccess(),
    desk: new VisionDesk({
      clock: systemClock,
      policy: () => settings.get().vision,
      answerPicture: () => pictureAnswerer(models),
      onChange: () => events.emit('changed', 'vision'),
    }),
  };
  const earlierIds = new Set(await store.wire.ids());
  const approvals = createKeptApprovals(store.settings, onError);
  const hub = createDeviceHub({
    toolRegistryManager,
    listener,
    vision,
    listUserTools: () => settings.get().listUserTools,
    dangerousTools: () => settings.get().dangerousTools,
    clientInfo: { name: 'toolwire', version },
    frames,
    isTaken: (id) => earlierIds.has(id),
    approvals,
    tokenSecret: keptTokenSecret(store.settings),
    allowedHosts: () => ownHostNames(listener.info()),
    allowedOrigins: () => settings.get().deviceOrigins,
    offeredProtocol: (deviceId) => new Map(Object.entries(settings.get().offeredProtocols)).get(deviceId),
  });
  closing(hub.close);
  closing(() => vision.desk.close());
  frames.describe = (id) => {
    const info = hub.device(id);
    return info && storedDevice(info, hub.isConnected(id));
  };
  hub.onChange((id) => {
    events.emit('changed', 'devices');
    frames.touch(id);
  });

  toolRegistryManager.register(createTimeTool());
  toolRegistryManager.register(createDirectoryTreeTool({ getRoot: () => settings.get().directoryRoot || undefined }));
  const mayCreate = store.health.state().fault === undefined;
  const modules = new ModuleLoader({ dir: modulesDir, mayCreate, toolRegistryManager, onError });
  closing(() => modules.close());

  const info = (): Omit<WorkbenchInfo, 'version' | 'platform' | 'node'> => ({
    shell: options.shell,
    ...(options.command !== undefined && { command: options.command }),
    dataDir,
    modulesDir,
    logFile: logFilePath(dataDir),
    device: listenerFacts(listener.info(), options.deviceHost !== undefined),
    protocols: protocols.ids(),
    storage: store.health.state(),
  });

  await recoverCalls(store.history);
  const tracker = createCallTracker({
    toolRegistryManager,
    history: store.history,
    clock: systemClock,
    announce: (topic) => events.emit('changed', topic),
    onError,
  });
  closing(tracker.close);
  const common = { toolRegistryManager, tracker, settings: settings.get, onError };
  const calls = createCallsService({
    ...{ ...common, history: store.history, series: store.series },
    secret: (folder, name) => collections.secret(folder, name),
  });
  closing(calls.cancelAll);
  const bin = createRemovedBin({
    store: store.removed,
    onChange(kind) {
      events.emit('changed', 'removed');
      if (kind === 'chat') events.emit('changed', 'chats');
      if (kind === 'capture') events.emit('changed', 'captures');
    },
    onError,
  });
  const limitMb = (): number => settings.get().captureLimitMb;
  const kept = { wire: store.wire, captures: capturesWithoutRemoved(store.captures, bin, limitMb), frames };
  const devices = createDevicesService({
    hub,
    earlier: await createEarlierDevices({
      ...{ ...kept, hub, approvals, bin, toolRegistryManager },
      onChange: () => events.emit('changed', 'devices'),
    }),
    otaUrl: () => {
      const { error, port } = listener.info();
      if (error !== undefined) throw new RequestError(`No device can connect: ${error}`);
      return deviceUrls('127.0.0.1', port).otaUrl;
    },
    addresses: () => deviceAddresses(listener.info()),
    async listen(port) {
      await listen(port);
      await settings.set({ devicePort: listener.info().port });
    },
  });
  closing(devices.close);
  const captures = createCapturesService({
    ...kept,
    hub,
    toolRegistryManager,
    execute: calls.execute,
    beginSeries: tracker.beginSeries,
    startVirtual: devices.startVirtual,
    ...{ bin, limitMb },
    onChange() {
      events.emit('changed', 'captures');
      frames.changed();
    },
  });
  closing(captures.close);
  const secrets = options.secrets ?? createFileSecrets(join(dataDir, 'secrets.json'));
  const keys = createRemovedKeys({
    ...{ bin, secrets },
    onChange: (name) => events.emit('changed', name.startsWith('model:') ? 'models' : 'realtime'),
  });
  const models = createModelsService({
    store: store.settings,
    ...{ secrets, bin, keys },
    onChange: () => events.emit('changed', 'models'),
    onError,
  });
  const chat = createChatService({
    ...{ store: chatsWithoutRemoved(store.chats, bin), toolRegistryManager, discovery, protocols, onError },
    modelOf: models.modelOf,
    defaultModelId: models.defaultId,
    policy: () => callPolicy(settings.get()),
    follow: () => tracker.follow('model'),
    onChange: () => events.emit('changed', 'chats'),
  });
  closing(chat.close);
  const collections = createCollectionsService({
    ...{ toolRegistryManager, settingsStore: store.settings, savedRuns: store.savedRuns, history: store.history },
    ...{ bin, secrets, execute: calls.execute, beginSeries: tracker.beginSeries, onError },
    onChange: () => events.emit('changed', 'collections'),
    onRun: () => events.emit('changed', 'savedRuns'),
  });
  closing(collections.stop);
  const gateway = await createGatewayService({
    ...kept,
    ...{ store: store.settings, env: process.env, toolRegistryManager, models, onError },
    callPolicy: () => ({ ...callPolicy(settings.get()), ...tracker.follow('gateway') }),
    onChange: () => events.emit('changed', 'gateway'),
  });
  closing(gateway.close);
  const realtime = createRealtimeService({
    ...kept,
    ...{ store: store.settings, secrets, bin, keys, toolRegistryManager, discovery, hub, onError },
    ...options.realtime,
    say: devices.say,
    config: () => settings.get().toolCallConfig,
    policy: () => ({ ...callPolicy(settings.get()), ...tracker.follow('realtime') }),
    onChange: () => events.emit('changed', 'realtime'),
  });
  closing(realtime.closeAll);
  const hosts = createHostsService({
    ...{ ...common, store: store.settings, listener, command: options.command },
    allowedHosts: () => ownHostNames(listener.info()),
    ...(dataDir !== defaultDataDir() && { dataDir }),
    // Until the user ticks a server for hosts, its tools are not passed on.
    isOffered: ({ source }) => source.kind !== 'mcp',
    windows: () => facts.service.windows(),
    onChange: () => events.emit('changed', 'hosts'),
  });
  closing(hosts.close);
  const parser = createParserService(common);
  const runs = createRunsService({
    ...{ clock: systemClock, toolRegistryManager, calls, parser, collections },
    dangerousTools: () => settings.get().dangerousTools,
    onChange: () => events.emit('changed', 'calls'),
  });
  closing(runs.close);
  const facts = openWorkbenchFacts({ events, about: info });
  closing(facts.close);
  const services = {
    workbench: facts.service,
    tools: createToolsService({
      ...{ toolRegistryManager, discovery, protocol, protocols },
      settings: settings.get,
      whenLoaded: (): Promise<void> => modulesRead,
    }),
    calls: { ...calls, ...runs.calls },
    parser: { ...parser, ...runs.parser },
    devices,
    frames: createFramesService({ ...kept, log: frames, bin, onChange: () => events.emit('changed', 'gateway') }),
    vision: createVisionService({ ...common, ...vision, hub, bin }),
    removed: bin,
    runs,
    settings,
    captures,
    models,
    chat,
    collections: { ...collections, ...runs.collections },
    gateway,
    hosts,
    realtime,
  };
  const server = createContractServer({ router: createRouter(contract, services, options), onError });
  closing(() => server.close());

  /** A port that was set for this start takes precedence over the one in the settings. */
  async function start(): Promise<void> {
    const kept = options.devicePortMayMove === true ? settings.get().devicePort : undefined;
    await tryToListen(kept ?? options.devicePort);
  }

  // Clients do not look for a workbench that a terminal starts for one command.
  const isForAMoment = options.shell === 'terminal';
  let modulesRead = modules.start();
  // A window does not wait for modules, since each starts a thread and may hang: their tools are added as they load.
  if (!isForAMoment) modulesRead = modulesRead.catch((error: unknown) => onError(error, `reading ${modulesDir}`));
  await Promise.all([start(), isForAMoment ? modulesRead : gateway.start()]);
  const running = opened.move();
  let closed: Promise<void> | undefined;
  return {
    /** Carries the contract to windows. */
    contract: server,
    /** The implementations of the contract, by area. */
    services,
    toolRegistryManager,
    info: facts.service.info,
    /** What would be interrupted if the workbench closed now. */
    live: (): LiveWork => ({
      devices: hub.connectedCount(),
      series: tracker.series(),
      calls: tracker.running().length,
    }),
    /** Pings every approved device now instead of at its next keep-alive. */
    checkConnections: () => hub.checkConnections(),
    /** Stops calls, devices, modules and listeners; resolves when everything is closed. Safe to call twice. */
    close: (): Promise<void> => (closed ??= running.disposeAsync()),
  };
}
