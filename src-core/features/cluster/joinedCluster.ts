import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { hostname } from 'node:os';

import { serversOf } from '../../base/isBrokerAddress.ts';
import { version } from '../../base/version.ts';
import type { CallPage, CallSearch, ClusterInfo, ClusterSettings } from '../../contract/cluster.ts';
import type { DeviceInfo } from '../../contract/deviceInfo.ts';
import { isLoopback } from '../../server/address.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import { brokerAddress } from './brokerAddress.ts';
import { Bus } from './bus.ts';
import { Claims } from './claims.ts';
import type { HybridClock } from './hybridClock.ts';
import { RemoteCalls } from './remoteCalls.ts';
import { drainNode } from './drainNode.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { deviceOf, nodeOf, shownOf } from './listed.ts';
import { LocalRows } from './localRows.ts';
import { maxMembers, Members, type MemberState } from './members.ts';
import { beat as beatSchema, bye, isUnderstood, wireVersion, type Beat } from './messages.ts';
import { MovingDevices } from './movingDevices.ts';
import type { OwnDecisions } from './ownDecisions.ts';
import { Pacing } from './pacing.ts';
import { RelayedPictures, type PictureReceiver } from './relayedPictures.ts';
import { RemoteRows } from './remoteRows.ts';
import { NodeSearch } from './searchNodes.ts';
import { SharedApprovals } from './sharedApprovals.ts';
import { SharedStore } from './sharedStore.ts';
import type { GatewaySessions } from './movedSession.ts';
import { SharedSessions } from './sharedSessions.ts';
import type { TokenSecrets } from './tokenSecrets.ts';
import { SharedQuestions, type AskingSource } from './sharedQuestions.ts';
import { ServedCalls } from './servedCalls.ts';

const beatMs = 1_000;
/** ms between two beats after which this node was stopped or asleep: others may have taken it for lost. */
const stoppedMs = 4_000;
/** The oldest sessions make room for new ones. */
const sessionBucket = { history: 1, maxBytes: 268_435_456 };

/** What a node shares. */
export interface NodeDeps extends FeatureContext {
  devices: Devices;
  calls: Calls;
  own: OwnDecisions;
  tokens: Pick<TokenSecrets, 'isOfCluster' | 'fingerprints'>;
  /** What asks the user about calls at this node; known once all features are open. */
  sources: () => readonly AskingSource[];
  /** The sessions of its gateway; undefined until it has run. */
  sessionStore: () => GatewaySessions | undefined;
  /** Who answers pictures that other nodes pass on. */
  receiver: () => PictureReceiver | undefined;
}

/** A node, from its start to its end. */
export class JoinedCluster {
  readonly #node = randomBytes(8).toString('hex');
  readonly #name: string;
  readonly #cluster: string;
  readonly #isFixed: boolean;
  readonly #settings: ClusterSettings;
  readonly #deps: NodeDeps;
  readonly #bus: Bus;
  readonly #members: Members;
  readonly #remote: RemoteRows;
  readonly #rows: LocalRows;
  readonly #hybrid: HybridClock;
  readonly #served: ServedCalls;
  readonly #pacing: Pacing;
  readonly #approvals: SharedApprovals;
  readonly #search: NodeSearch;
  readonly sessions: SharedSessions;
  readonly pictures: RelayedPictures;
  readonly #questions: SharedQuestions;
  readonly #calls: RemoteCalls;
  #isDraining = false;
  #isClosing = false;
  #outages = 0;
  /** Since the connection to the broker was lost last. */
  readonly #reported = new Set<string>();
  /** What the windows know of this node. */
  #shown = '';
  /** Of the last beat, by the wall clock: the other does not count the sleep of the machine. */
  #beatAt: number;
  #stopTimer: () => void;

  constructor(deps: NodeDeps, options: ClusterSettings, isFixed: boolean) {
    this.#deps = deps;
    this.#isFixed = isFixed;
    this.#settings = { ...options, url: serversOf(options.url).join(', ') };
    this.#name = (options.nodeName || hostname()).slice(0, 64);
    this.#cluster = options.name;
    const { clock, toolRegistryManager, devices, calls, settings, onError } = deps;
    const node = this.#node;
    this.#hybrid = deps.own.hybrid;
    const onChange = (): void => this.#announce();
    const nameOf = (other: string): string => this.#members.get(other)?.beat.name ?? other;
    const prefix = `tw.${options.name}`;
    const bus = new Bus(brokerAddress(options), {
      prefix,
      name: `toolwire ${this.#name}`,
      clock,
      onChange: () => this.#onBus(),
      onError,
    });
    this.#bus = bus;
    const inbox = createInbox(bus, node);
    this.#members = new Members(clock, (...state) => this.#onState(...state));
    const isLive = (other: string): boolean => {
      const { state = 'lost', beat: last } = this.#members.get(other) ?? {};
      return state !== 'lost' && last !== undefined && isUnderstood(last.v);
    };
    const isDraining = (other: string): boolean => this.#members.get(other)?.beat.draining === true;
    const locate: ConstructorParameters<typeof RemoteCalls>[0]['locate'] = (id) => {
      const here = claims.of(id) && this.#rows.connection(id)?.registry;
      if (here !== undefined) return { registry: here, hash: this.#rows.hash(here) };
      const { node: owner, row } = this.#remote.find(id) ?? {};
      if (owner === undefined || row?.tools === undefined || isDraining(owner)) return undefined;
      return { node: owner, connection: row.tools.connection };
    };
    const remoteCalls = new RemoteCalls({ bus, inbox, node, clock, nameOf, isDraining, locate });
    this.#calls = remoteCalls;
    const createRegistry: RemoteCalls['createRegistry'] = (...given) => remoteCalls.createRegistry(...given);
    const busAndTools = { bus, clock, toolRegistryManager };
    const onRow: ConstructorParameters<typeof RemoteRows>[0]['onRow'] = (...given) => claims.claimed(...given);
    const moving = new MovingDevices({ clock, toolRegistryManager, isDraining });
    this.#remote = new RemoteRows({
      ...busAndTools,
      hybrid: this.#hybrid,
      inbox,
      moving,
      createRegistry,
      nameOf,
      onRow,
      onChange,
      onError,
    });
    const asksFirst = () => ({
      dangerousTools: settings().dangerousTools,
      always: settings().toolCallConfig.requireConfirmation,
    });
    const { devices: list, device, registryId, onChange: followDevices, speaking } = devices.hub;
    const pacing = new Pacing({ bus, node, clock });
    this.#pacing = pacing;
    const pacedBus = { ...busAndTools, node, pacing };
    const claims = new Claims({ node, clock, hybrid: this.#hybrid, speaking, remote: this.#remote, nameOf });
    this.#rows = new LocalRows({ ...pacedBus, claims, devices: list, device, registryId, followDevices, asksFirst });
    const devicesAndCalls = { rows: this.#rows, remote: this.#remote, members: this.#members, calls };
    this.#served = new ServedCalls({ ...pacedBus, ...devicesAndCalls, isDraining: () => this.#isDraining, onError });
    this.#approvals = openApprovals(deps, { cluster: options.name, bus, inbox, onChange });
    const historyAndMembers = { history: deps.store.history, name: this.#name, members: this.#members };
    this.#search = new NodeSearch({ ...busAndTools, ...historyAndMembers, inbox, node, onError });
    const { sessionStore, sources, receiver } = deps;
    const kept = new SharedStore({ bus, inbox, clock }, `tw_${options.name}_sessions`, sessionBucket);
    const store = options.keepSessions === true ? kept : undefined;
    this.sessions = new SharedSessions({ ...historyAndMembers, bus, inbox, node, clock, store, sessionStore, onError });
    const onQuestions = (): void => void deps.events.emit('changed', 'cluster');
    this.pictures = new RelayedPictures({ ...pacedBus, inbox, isLive, receiver, onError });
    this.#questions = new SharedQuestions({ ...pacedBus, inbox, sources, nameOf, isLive, onChange: onQuestions });
    this.#beatAt = clock.wall();
    this.#stopTimer = clock.after(beatMs, () => this.#beat());
    bus.subscribe('beat', ({ data }) => this.#takeBeat(data));
    bus.subscribe('bye', ({ data }) => this.#left(data));
  }

  info(): ClusterInfo {
    const { isConnected, problem = this.#sameName() ?? this.#approvals.problem } = this.#bus;
    const own = this.#ownBeat();
    const others = this.#members
      .list()
      .map(({ beat: last, state, hasLeft }) =>
        nodeOf(last, isUnderstood(last.v) ? state : 'other-version', own, hasLeft),
      )
      .sort((one, other) => one.name.localeCompare(other.name));
    return {
      joined: {
        name: this.#cluster,
        isConnected,
        ...(problem !== undefined && { problem }),
        ...(this.#bus.isDenied && { isDenied: true as const }),
        isFixed: this.#isFixed,
        settings: this.#settings,
        hasTokenSecret: this.#deps.tokens.isOfCluster,
      },
      nodes: [nodeOf(own, 'self', own), ...others],
    };
  }

  /** Also those of lost nodes, without those of a lost node that was started again. */
  devices(): DeviceInfo[] {
    const members = new Map(this.#members.list().map((member) => [member.node, member]));
    return this.#remote
      .list()
      .filter(({ node }) => members.has(node))
      .map((device) => deviceOf(device, members.get(device.node)));
  }

  get questions(): SharedQuestions {
    return this.#questions;
  }

  /** Whether the other nodes do not know yet that this device is approved. */
  isUnshared(...device: Parameters<SharedApprovals['isUnshared']>): boolean {
    return this.#approvals.isUnshared(...device);
  }

  /** Why the other nodes do not know the decision on this device, once this node has tried to share it; undefined if they do. */
  untilShared(id: string): Promise<string | undefined> {
    return this.#approvals.untilShared(id);
  }

  search(query: CallSearch, signal?: AbortSignal): Promise<CallPage> {
    return this.#search.search(query, signal);
  }

  /** Whether another node has this device, or had it when this one lost the node. */
  isElsewhere(id: string): boolean {
    const holders = this.#remote.holders(id, { alsoLost: true });
    if (holders.length === 0) return false;
    const nodes = new Set(this.#members.list().flatMap(({ node, hasLeft }) => (hasLeft ? [] : [node])));
    return holders.some(({ node }) => nodes.has(node));
  }

  /** What asks first at this node has changed. */
  askFirstChanged(): void {
    this.#rows.touchAll();
  }

  /** Without another node that its devices could move to, there is nothing to prepare. */
  async drain(onBegin?: () => void): Promise<void> {
    if (!this.#bus.isConnected || this.#members.list().every(({ state }) => state === 'lost')) return;
    onBegin?.();
    this.#isDraining = true;
    this.#beat();
    const { clock, devices, calls } = this.#deps;
    await drainNode({ clock, hub: devices.hub, running: calls.running, ids: () => this.#rows.ids() });
    this.#served.returnWaiting();
  }

  async close(): Promise<void> {
    this.#isDraining = this.#isClosing = true;
    this.#stopTimer();
    this.#members.close();
    this.#calls.close();
    this.#rows.close();
    this.#served.close();
    this.#remote.close();
    this.#pacing.close();
    this.#approvals.close();
    this.#search.close();
    this.sessions.close();
    this.pictures.close();
    this.#questions.close();
    // The outcomes of the calls that were ended are sent first.
    await setImmediate();
    this.#bus.publish('bye', { v: wireVersion, node: this.#node });
    await this.#bus.close();
  }

  #announce(): void {
    this.#deps.events.emit('changed', 'devices');
    this.#deps.events.emit('changed', 'cluster');
  }

  #onBus(): void {
    if (this.#isClosing) return;
    this.#announce();
    const { isConnected, problem, outages } = this.#bus;
    if (outages !== this.#outages) this.#reported.clear();
    this.#outages = outages;
    // A broker that is connected may refuse messages of this node.
    if (problem !== undefined) this.#report(problem);
    else if (isConnected) {
      this.#catchUp();
      this.#beat();
    }
  }

  /** Other nodes may not have reached this one. */
  #catchUp(): void {
    this.#approvals.refresh();
    this.sessions.check();
  }

  #onState(other: string, state: MemberState | undefined): void {
    if (state === 'lost') {
      this.#remote.suspend(other);
      this.#calls.failNode(other);
      this.#served.callerLost(other);
      this.#questions.forget(other);
    } else if (state === undefined) this.#remote.forget(other);
    // Between brokers that were cut off from each other, decisions are not delivered later.
    else if (state === 'live') this.#catchUp();
    this.#announce();
  }

  #takeBeat(data: unknown): void {
    const read = beatSchema.safeParse(data);
    if (!read.success || this.#isClosing) return;
    const { node, v, seq, stamp } = read.data;
    if (node === this.#node) return;
    if (stamp !== undefined) this.#hybrid.observe(stamp);
    const before = this.#members.get(node)?.beat;
    if (!this.#members.add(read.data)) return this.#tooManyNodes();
    const sameName = this.#sameName();
    if (sameName !== undefined) this.#report(sameName);
    if (isUnderstood(v)) this.#remote.follow(node, seq);
    // A new node sees the others at once, not at their next beat.
    if (before === undefined) this.#beat();
    else if (shownOf(before) !== shownOf(read.data)) this.#deps.events.emit('changed', 'cluster');
  }

  #tooManyNodes(): void {
    this.#report(
      `The cluster has more than ${maxMembers} other nodes. Further ones, and their devices, are not listed here.`,
    );
  }

  /** What to do if a live node has the name of this one. */
  #sameName(): string | undefined {
    const has = this.#members.list().some(({ beat: last, state }) => state !== 'lost' && last.name === this.#name);
    return has ? `Another node is named "${this.#name}", too. Give each node its own name (--node-name).` : undefined;
  }

  #report(text: string): void {
    if (!this.#reported.has(text)) this.#deps.onError(new Error(text), `the cluster "${this.#cluster}"`);
    this.#reported.add(text);
  }

  #left(data: unknown): void {
    const read = bye.safeParse(data);
    if (read.success && !this.#isClosing) this.#members.leave(read.data.node);
  }

  #beat(): void {
    const { clock } = this.#deps;
    this.#stopTimer();
    this.#stopTimer = clock.after(beatMs, () => this.#beat());
    if (clock.wall() - this.#beatAt > stoppedMs) this.#catchUp();
    this.#beatAt = clock.wall();
    const own = this.#ownBeat();
    this.#bus.publish('beat', own);
    if (this.#shown !== shownOf(own)) this.#deps.events.emit('changed', 'cluster');
    this.#shown = shownOf(own);
    this.#questions.repeat();
  }

  #ownBeat(): Beat {
    const { seq, count: devices } = this.#rows;
    return {
      v: wireVersion,
      node: this.#node,
      name: this.#name,
      version,
      at: this.#deps.clock.now(),
      wall: this.#deps.clock.wall(),
      stamp: this.#hybrid.last,
      seq,
      devices,
      calls: this.#served.count,
      draining: this.#isDraining,
      secrets: this.#deps.tokens.fingerprints(),
    };
  }
}

/** Approvals, which the nodes share over NATS KV. */
function openApprovals(
  deps: NodeDeps,
  { cluster, bus, inbox, onChange }: { cluster: string; bus: Bus; inbox: Inbox; onChange: () => void },
): SharedApprovals {
  const { clock, devices, own, store, onError } = deps;
  return new SharedApprovals({
    clock,
    isOpen: () => !isLoopback(devices.listener.info().host),
    own,
    hub: devices.hub,
    approvals: devices.approvals,
    store: new SharedStore({ bus, inbox, clock }, `tw_${cluster}_approvals`),
    settings: store.settings,
    cluster,
    onChange,
    onError,
  });
}
