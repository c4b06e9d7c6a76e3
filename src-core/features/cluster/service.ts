import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { hostname } from 'node:os';

import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import { version } from '../../base/version.ts';
import type { ClusterInfo, ClusterNode, ClusterSettings } from '../../contract/cluster.ts';
import { worseHealths, type DeviceHealth, type DeviceInfo, type DeviceState } from '../../contract/deviceInfo.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import { Bus, type BusAddress } from './bus.ts';
import { Claims } from './claims.ts';
import { HybridClock } from './hybridClock.ts';
import { RemoteCalls, remoteId } from './callRemote.ts';
import { createInbox } from './inbox.ts';
import { LocalRows } from './localRows.ts';
import { Members, type Member, type MemberState } from './members.ts';
import { beat as beatSchema, bye, isUnderstood, wireVersion, type Beat } from './messages.ts';
import { RemoteRows, type RemoteDevice } from './remoteRows.ts';
import { ServedCalls } from './servedCalls.ts';

const beatMs = 1_000;

/** A newer node may have others. */
const deviceStates: readonly DeviceState[] = [
  ...(['announced', 'hello', 'approval', 'initializing', 'listing', 'ready', 'closed', 'failed'] as const),
];
const deviceHealths: readonly DeviceHealth[] = [...deviceStates, 'refused', ...worseHealths];

/** The cluster that a workbench joins from its start. */
export type ClusterOptions = ClusterSettings;

type ClusterDeps = FeatureContext & {
  devices: Devices;
  calls: Calls;
  /** False in a workbench that a terminal starts for one command: it joins only a cluster that is named. */
  joins: boolean;
};

/** What the other features use of a cluster. */
export interface Cluster {
  service: { info: () => ClusterInfo };
  /** The devices of the other nodes. */
  devices: () => DeviceInfo[];
  close: () => unknown;
}

/**
 * Joins the cluster that was named at the start, or else the one of the settings: its devices are listed and called in every window.
 * Without the broker, this node's own devices go on. Without a cluster, nothing is opened.
 */
export function openCluster(deps: ClusterDeps, named: ClusterOptions | undefined): Cluster {
  const { events, onError } = deps;
  let joined: JoinedCluster | undefined;
  /** Why the cluster of the settings could not be joined. */
  let problem: string | undefined;
  let isClosed = false;
  let changing: Promise<void> = Promise.resolve();

  /** @throws {RequestError} If a file of the options cannot be used. */
  async function join(options: ClusterOptions): Promise<void> {
    const left = joined;
    joined = problem = undefined;
    await left?.close();
    events.emit('changed', 'devices');
    events.emit('changed', 'cluster');
    if (options.url === '' || isClosed) return;
    try {
      joined = new JoinedCluster(deps, options, named !== undefined);
    } catch (error) {
      problem = describeThrown(error);
      throw error;
    }
  }

  /** One change after the other. */
  function change(options: ClusterOptions): Promise<void> {
    const done = changing.then(() => join(options));
    changing = done.catch(() => undefined);
    return done;
  }

  if (named !== undefined || deps.joins)
    change(named ?? deps.settings().cluster).catch((error: unknown) => onError(error, 'joining the cluster'));
  events.on('settingsChanged', ({ next, isOf, waitUntil }) => {
    if (named === undefined && isOf('cluster')) waitUntil(change(next.cluster));
    if (isOf('dangerousTools', 'toolCallConfig')) joined?.askFirstChanged();
  });
  return {
    service: {
      info: () => {
        if (joined !== undefined) return joined.info();
        if (problem === undefined) return { nodes: [] };
        return {
          joined: { name: deps.settings().cluster.name, isConnected: false, problem, isFixed: false },
          nodes: [],
        };
      },
    },
    devices: () => joined?.devices() ?? [],
    async close() {
      isClosed = true;
      await changing;
      await joined?.close();
    },
  };
}

/** A node, from its start to its end. */
class JoinedCluster {
  readonly #node = randomBytes(8).toString('hex');
  readonly #name: string;
  readonly #cluster: string;
  readonly #isFixed: boolean;
  readonly #deps: ClusterDeps;
  readonly #bus: Bus;
  readonly #members: Members;
  readonly #remote: RemoteRows;
  readonly #rows: LocalRows;
  readonly #hybrid: HybridClock;
  readonly #served: ServedCalls;
  readonly #calls: RemoteCalls;
  #isDraining = false;
  #stopTimer: () => void;

  constructor(deps: ClusterDeps, options: ClusterOptions, isFixed: boolean) {
    this.#deps = deps;
    this.#isFixed = isFixed;
    this.#name = (options.nodeName || hostname()).slice(0, 64);
    this.#cluster = options.name;
    const { clock, toolRegistryManager, devices, calls, settings, onError } = deps;
    const node = this.#node;
    this.#hybrid = new HybridClock(() => clock.wall());
    const onChange = (): void => this.#announce();
    const nameOf = (other: string): string => this.#members.get(other)?.beat.name ?? other;
    const prefix = `tw.${options.name}`;
    const bus = new Bus(busAddress(options), {
      prefix,
      name: `toolwire ${this.#name}`,
      clock,
      onChange: () => this.#onBus(),
      onError,
    });
    this.#bus = bus;
    const inbox = createInbox(bus, node);
    this.#members = new Members(clock, (...state) => this.#onState(...state));
    const remoteCalls = new RemoteCalls({ bus, inbox, node, clock, nameOf });
    this.#calls = remoteCalls;
    const createRegistry: RemoteCalls['createRegistry'] = (...given) => remoteCalls.createRegistry(...given);
    const shared = { bus, clock, toolRegistryManager };
    const onRow: ConstructorParameters<typeof RemoteRows>[0]['onRow'] = (...given) => claims.heard(...given);
    this.#remote = new RemoteRows({ ...shared, inbox, createRegistry, nameOf, onRow, onChange, onError });
    const asksFirst = () => ({
      dangerousTools: settings().dangerousTools,
      always: settings().toolCallConfig.requireConfirmation,
    });
    const { devices: list, device, onChange: followDevices, speaking } = devices.hub;
    const common = { ...shared, node };
    const claims = new Claims({ node, clock, hybrid: this.#hybrid, speaking, remote: this.#remote, nameOf });
    this.#rows = new LocalRows({ ...common, claims, devices: list, device, followDevices, asksFirst });
    const isDraining = (): boolean => this.#isDraining;
    const known = { rows: this.#rows, remote: this.#remote, members: this.#members };
    this.#served = new ServedCalls({ ...common, ...known, calls, isDraining, onError });
    this.#stopTimer = clock.after(beatMs, () => this.#beat());
    bus.subscribe('beat', ({ data }) => this.#hear(data));
    bus.subscribe('bye', ({ data }) => {
      const read = bye.safeParse(data);
      if (read.success && !this.#isDraining) this.#members.leave(read.data.node);
    });
  }

  info(): ClusterInfo {
    const { isConnected, problem } = this.#bus;
    const others = this.#members
      .list()
      .map(({ beat: said, state }) => nodeOf(said, isUnderstood(said.v) ? state : 'other-version'))
      .sort((one, other) => one.name.localeCompare(other.name));
    return {
      joined: { name: this.#cluster, isConnected, ...(problem !== undefined && { problem }), isFixed: this.#isFixed },
      nodes: [nodeOf(this.#ownBeat(), 'self'), ...others],
    };
  }

  devices(): DeviceInfo[] {
    const { hub } = this.#deps.devices;
    const live = new Set(this.#remote.list().flatMap(({ row, registry }) => (registry ? [row.id] : [])));
    return this.#remote.list().flatMap((device) => {
      const member = this.#members.get(device.node);
      const { id, state } = device.row;
      // The node of a device asks about it. One that is here, or at another node by now, is not listed twice.
      const isElsewhere = member?.state === 'lost' && (live.has(id) || hub.isConnected(id));
      return state === 'approval' || isElsewhere ? [] : [deviceOf(device, member)];
    });
  }

  /** What asks first at this node has changed. */
  askFirstChanged(): void {
    this.#rows.touchAll();
  }

  async close(): Promise<void> {
    this.#isDraining = true;
    this.#stopTimer();
    this.#bus.publish('beat', this.#ownBeat());
    this.#members.close();
    this.#rows.close();
    this.#served.close();
    this.#remote.close();
    // The calls that were ended tell their callers first.
    await setImmediate();
    this.#bus.publish('bye', { v: wireVersion, node: this.#node });
    await this.#bus.close();
  }

  #announce(): void {
    this.#deps.events.emit('changed', 'devices');
    this.#deps.events.emit('changed', 'cluster');
  }

  #onBus(): void {
    if (this.#isDraining) return;
    this.#announce();
    if (this.#bus.isConnected) this.#beat();
    else if (this.#bus.problem !== undefined)
      this.#deps.onError(new Error(this.#bus.problem), `the cluster "${this.#cluster}"`);
  }

  #onState(other: string, state: MemberState | undefined): void {
    if (state === 'lost') {
      this.#remote.suspend(other);
      this.#calls.failNode(other);
      this.#served.callerLost(other);
    } else if (state === undefined) this.#remote.forget(other);
    this.#announce();
  }

  #hear(data: unknown): void {
    const read = beatSchema.safeParse(data);
    if (!read.success || this.#isDraining) return;
    const { node, v, seq, stamp } = read.data;
    if (stamp !== undefined) this.#hybrid.observe(stamp);
    const before = this.#members.get(node)?.beat;
    this.#members.hear(read.data);
    if (isUnderstood(v)) this.#remote.follow(node, seq);
    // A new node sees the others at once, not at their next beat.
    if (before === undefined) this.#beat();
    else if (shownOf(before) !== shownOf(read.data)) this.#deps.events.emit('changed', 'cluster');
  }

  #beat(): void {
    this.#stopTimer();
    this.#stopTimer = this.#deps.clock.after(beatMs, () => this.#beat());
    this.#bus.publish('beat', this.#ownBeat());
  }

  #ownBeat(): Beat {
    const { seq, count: devices } = this.#rows;
    return {
      v: wireVersion,
      node: this.#node,
      name: this.#name,
      version,
      at: this.#deps.clock.now(),
      stamp: this.#hybrid.last,
      seq,
      devices,
      calls: this.#served.count,
      draining: this.#isDraining,
    };
  }
}

/** @throws {RequestError} If the file of the nkey cannot be read or has none, or the one of the certificate cannot be read. */
function busAddress({ url, nkeyFile, caFile }: ClusterOptions): BusAddress {
  if (caFile !== '') readOwnFile(caFile);
  return {
    url,
    ...(nkeyFile !== '' && { nkeySeed: seedIn(nkeyFile) }),
    ...(caFile !== '' && { caFile }),
  };
}

function seedIn(file: string): string {
  const seed = /^SU[A-Z2-7]{56}$/m.exec(readOwnFile(file))?.[0];
  if (seed !== undefined) return seed;
  throw new RequestError(`"${file}" has no line with the seed of an nkey (SU…, 58 characters).`, { field: 'cluster' });
}

function readOwnFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new RequestError(`"${file}" cannot be read: ${describeThrown(cause)}`, { field: 'cluster', cause });
  }
}

/** What a window shows of a beat. */
function shownOf({ name, version: release, devices, calls, draining }: Beat): string {
  return JSON.stringify([name, release, devices, calls, draining]);
}

function nodeOf(said: Beat, state: ClusterNode['state']): ClusterNode {
  const { node: id, name, version: release, devices, calls, draining: isDraining } = said;
  return { id, name, state, version: release, devices, calls, isDraining };
}

/** A device of another node as a device of this list. What only its own node knows is empty. */
function deviceOf(device: RemoteDevice, member: Member | undefined): DeviceInfo {
  const { node, row, registry } = device;
  const isLost = member?.state === 'lost';
  const { deviceId, clientId, name, board, firmware, virtual, connectedAt, toolCount, tools, error } = row;
  return {
    deviceId,
    ...(clientId !== undefined && { clientId }),
    name,
    ...(board !== undefined && { board }),
    ...(firmware !== undefined && { firmware }),
    virtual,
    connectedAt,
    toolCount,
    ...(error && { error }),
    state: deviceStates.find((each) => each === row.state) ?? 'closed',
    health: deviceHealths.find((each) => each === row.health) ?? 'closed',
    id: remoteId(device),
    // What state it is in is not known then.
    ...(isLost && { state: 'closed' as const, health: 'closed' as const }),
    node: { id: node, name: member?.beat.name ?? node, isLost },
    ...(registry !== undefined && { registryId: registry.id }),
    ...(registry === undefined && tools !== undefined && { lastRegistryId: tools.registryId }),
    remote: true,
    lastSeenAt: row.connectedAt,
    doctor: { steps: [] },
    counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 },
  };
}
