import { join } from 'node:path';

import { systemClock } from './base/clock.ts';
import { contract } from './contract/contract.ts';
import type { LiveWork, WorkbenchInfo } from './contract/types.ts';
import { openCalls } from './features/calls/service.ts';
import { openRuns } from './features/calls/runs/runsService.ts';
import { openCaptures } from './features/captures/service.ts';
import { openChat } from './features/chat/service.ts';
import { askingSources } from './features/cluster/askingSources.ts';
import { withOtherNodes } from './features/cluster/deviceProcedures.ts';
import { TokenSecrets } from './features/cluster/tokenSecrets.ts';
import { openCluster, type ClusterOptions } from './features/cluster/service.ts';
import { openCollections } from './features/collections/service.ts';
import { createEventBus, type FeatureContext } from './features/context.ts';
import { openDevices, type DevicePlace } from './features/devices/open.ts';
import { openTools } from './features/discovery/service.ts';
import { openFrames } from './features/frames/service.ts';
import { openEndpoint } from './features/endpoint/service.ts';
import { openGateway } from './features/gateway/service.ts';
import type { ToolwireCommand } from './features/hosts/connectTexts.ts';
import { openHosts } from './features/hosts/service.ts';
import { openModels } from './features/models/service.ts';
import { openParser } from './features/parser/service.ts';
import { openRealtime, type RealtimeTimes } from './features/realtime/service.ts';
import { openServers } from './features/servers/service.ts';
import { openSettings } from './features/settings/service.ts';
import { openTrash } from './features/trash/open.ts';
import { openVision } from './features/vision/service.ts';
import { openWorkbenchFacts } from './features/workbench/service.ts';
import { defaultDataDir } from './dataDir.ts';
import { logFilePath } from './logFile.ts';
import { openOwnedStore } from './ownedStore.ts';
import { createToolRegistryManager } from './registry/toolRegistryManager.ts';
import { createRouter } from './rpc/router.ts';
import { createContractServer } from './rpc/serveWire.ts';
import { createFileSecrets } from './store/fileSecrets.ts';
import type { SecretStore } from './store/secretStore.ts';
import { StorageError } from './store/storageError.ts';
import type { openCheckedStore } from './store/openStore.ts';

export interface WorkbenchOptions extends DevicePlace {
  /** Holds the database, the modules folder and the running workbench's address. Created if missing. */
  dataDir: string;
  /** How this machine runs `toolwire`; by default, by that name. */
  command?: ToolwireCommand | undefined;
  shell: WorkbenchInfo['shell'];
  /** The cluster that it joins; none by default. */
  cluster?: ClusterOptions | undefined;
  /** Keeps the models' keys; by default a file in `dataDir`. */
  secrets?: SecretStore | undefined;
  /** The times of realtime models, for tests. */
  realtime?: RealtimeTimes;
  /** Opens the store, for tests. */
  openTables?: typeof openCheckedStore;
  /** Checks all outputs against the contract, for tests. */
  checkOutputs?: boolean;
  /** Called with errors that belong to no request. */
  onError: (error: unknown, where?: string) => void;
}

/** Has a part closed with the workbench, and returns it. */
type Closing = <Part extends { close: () => unknown }>(part: Part) => Part;

/** Everything built and running; the shells only carry its contract to a window. */
export type Workbench = Awaited<ReturnType<typeof createWorkbench>>;

/**
 * Opens the features in order; they close in reverse. With a window, modules may load after it returns
 * (`services.tools.whenLoaded`). If the device port is taken, the workbench starts and `info().device.error` says why.
 * @throws DataDirInUseError if another process owns the data directory; Error if the directory cannot be used.
 */
export async function createWorkbench(options: WorkbenchOptions) {
  const { dataDir } = options;
  await using parts = new AsyncDisposableStack();
  // The store has reported a failing disk, once.
  const onError: WorkbenchOptions['onError'] = (error, where) => {
    if (!(error instanceof StorageError)) options.onError(error, where);
  };
  function closing<Part extends { close: () => unknown }>(part: Part): Part {
    parts.defer(async () => {
      try {
        await part.close();
      } catch (error) {
        onError(error, 'closing');
      }
    });
    return part;
  }
  const events = createEventBus();
  const store = closing(await openOwnedStore({ ...options, onChange: () => events.emit('changed', 'info') }));
  const toolRegistryManager = createToolRegistryManager({ onError });
  const secrets = options.secrets ?? createFileSecrets(join(dataDir, 'secrets.json'));
  const isClosing = new AbortController();
  const basis = { store, events, toolRegistryManager, clock: systemClock, secrets, closing: isClosing.signal, onError };
  const { features, services, live, start } = await openFeatures(options, basis, closing);
  const server = closing(createContractServer({ router: createRouter(contract, services, options), onError }));
  await start();
  const running = parts.move();
  let closed: Promise<void> | undefined;
  return {
    /** Carries the contract to windows. */
    contract: server,
    /** The implementations of the contract, by area. */
    services,
    /** What the features offer one another. */
    features,
    toolRegistryManager,
    info: services.workbench.info,
    /** What would be interrupted if the workbench closed now. */
    live,
    /** Pings every approved device now instead of at its next keep-alive. */
    checkConnections: () => features.devices.hub.checkConnections(),
    /** Before `close`: running calls finish, and the devices move to the other nodes of the cluster. */
    drain: features.cluster.drain,
    /** Stops calls, devices, modules and listeners; resolves when everything is closed. Safe to call twice. */
    close: (): Promise<void> => {
      isClosing.abort();
      return (closed ??= running.disposeAsync());
    },
  };
}

/** Opens the features in order. */
async function openFeatures(options: WorkbenchOptions, basis: Omit<FeatureContext, 'settings'>, closing: Closing) {
  const { dataDir, shell, command } = options;
  const { store, events } = basis;
  const { service: settings } = openSettings(basis);
  const context = { ...basis, settings: settings.get };
  const modulesDir = join(dataDir, 'modules');
  // Clients do not look for a workbench that a terminal starts for one command.
  const isForAMoment = shell === 'terminal';
  const tools = closing(openTools({ ...context, modulesDir, waitsForModules: isForAMoment }));
  const trash = openTrash(context);
  const models = openModels({ ...context, trash });
  const { service: framesService, log: frames } = closing(await openFrames({ ...context, trash }));
  const tokens = new TokenSecrets(context);
  const place = { place: options, changeSettings: settings.set };
  const devices = closing(await openDevices({ ...context, ...place, trash, frames, tokenSecrets: tokens.list }));
  const calls = closing(await openCalls(context));
  const cluster = closing(openCluster({ ...context, devices, calls, tokens, joins: !isForAMoment }, options.cluster));
  const deps = { ...context, tools, trash, frames, models, devices, calls };
  const about = (): ReturnType<Parameters<typeof openWorkbenchFacts>[0]['about']> => ({
    shell,
    ...(command !== undefined && { command: command.text }),
    dataDir,
    modulesDir,
    logFile: logFilePath(dataDir),
    device: devices.listenerFacts(),
    protocols: tools.protocols.ids(),
    storage: store.health.state(),
  });
  const workbench = closing(openWorkbenchFacts({ events, about }));
  const vision = closing(openVision({ ...deps, nodes: cluster.pictures }));
  const captures = closing(openCaptures(deps));
  const chat = closing(openChat(deps));
  const collections = closing(openCollections(deps));
  const gateway = closing(await openGateway({ ...deps, sessionNodes: cluster.sessions }));
  const realtime = closing(openRealtime({ ...deps, ...options.realtime }));
  const servers = closing(openServers(deps));
  const ofData = dataDir === defaultDataDir() ? {} : { dataDir };
  const hosts = closing(
    openHosts({ ...deps, ...ofData, servers, pictures: vision.service, command, windows: workbench.service.windows }),
  );
  const endpoint = closing(openEndpoint({ ...deps, hosts, connects: !isForAMoment }));
  const parser = openParser(deps);
  const runs = closing(openRuns({ ...deps, parser, collections }));
  const listing = [realtime.service, servers.apps.service];
  cluster.shareQuestionsOf(askingSources({ runs, listing, others: [gateway.questions, hosts.questions] }));
  const services = {
    workbench: workbench.service,
    tools: tools.service,
    calls: { ...calls.service, ...runs.calls, search: cluster.search },
    parser: { ...parser.service, ...runs.parser },
    devices: withOtherNodes(devices.service, cluster),
    frames: framesService,
    vision: vision.service,
    removed: trash.service,
    runs: runs.service,
    settings,
    captures: captures.service,
    models: models.service,
    chat: chat.service,
    cluster: cluster.service,
    collections: { ...collections.service, ...runs.collections },
    gateway: gateway.service,
    hosts: hosts.service,
    servers: servers.service,
    conformance: servers.conformance,
    apps: servers.apps.service,
    endpoint: endpoint.service,
    realtime: realtime.service,
  };
  return {
    services,
    features: { ...deps, cluster, parser, collections, hosts, servers },
    live: (): LiveWork => ({ devices: devices.hub.connectedCount(), ...calls.live() }),
    async start(): Promise<void> {
      await Promise.all([devices.start(), tools.start(), isForAMoment ? undefined : gateway.start()]);
      void endpoint.connectAll();
    },
  };
}
