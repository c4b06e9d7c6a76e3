import type { Clock } from '../../base/clock.ts';
import { maximumToolIdLength, type ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolMetadata, ToolRegistry } from '../../registry/types.ts';
import type { Bus, BusMessage } from './bus.ts';
import { askAgainMs, fetchTools } from './fetchTools.ts';
import { isAfter, type HybridClock, type Stamp } from './hybridClock.ts';
import type { Inbox } from './inbox.ts';
import type { MovingDevices } from './movingDevices.ts';
import { delta, pagesAhead, snapshotPage, wireVersion, type Delta, type Row } from './messages.ts';

/** Devices of one node that are listed. */
const maxRows = 100_000;
/** Bytes of JSON of the rows and tools of one node, and of all nodes. */
const maxBytes = { node: 134_217_728, all: 536_870_912 };
/** Bytes of changes that are kept while a snapshot arrives. */
const maxLaterBytes = 16_777_216;
/** Devices whose tools are registered in one go; the event loop runs between. */
const offersAtOnce = 250;
/** Lists of tools that are asked for at a time. */
const maxAsked = 16;
/** Texts that are kept once for all devices. */
const maxTexts = 1_000;
/** ms over which names that become free are gathered. */
const gatherMs = 32;

/** A device of another node. */
export interface RemoteDevice {
  node: string;
  row: Row;
  /** While its tools can be called. */
  registry?: ToolRegistry | undefined;
}

interface NodeRows {
  devices: Map<string, RemoteDevice>;
  /** Its lists of tools by their hashes: what another node sends does not count for it. */
  lists: Map<string, ToolMetadata & { bytes: number }>;
  /** Of its rows and lists, and of the pages of lists that have arrived. */
  bytes: number;
  /** Of the last change that was taken. */
  seq: number;
  isLost: boolean;
  /** There were more than are kept. */
  hasDropped: boolean;
  /** Changes that arrived while a snapshot was on its way; it may not contain them. */
  later: Delta[];
  laterBytes: number;
  /** Ends the wait for a snapshot. */
  stopAsking?: (() => void) | undefined;
}

interface Deps {
  hybrid: Pick<HybridClock, 'countOf'>;
  bus: Bus;
  inbox: Inbox;
  clock: Clock;
  toolRegistryManager: ToolRegistryManager;
  moving: Pick<MovingDevices, 'keep' | 'release' | 'close'>;
  /** The tools of a device as a source of methods. */
  createRegistry: (id: string, device: RemoteDevice, list: ToolMetadata) => ToolRegistry;
  nameOf: (node: string) => string;
  /** A row arrived, before what changes by it is announced. */
  onRow: (node: string, row: Row) => void;
  onChange: () => void;
  onError: (error: unknown, where: string) => void;
}

/** The devices of the other nodes. Registers their tools; equal lists of a node's tools are fetched once. */
export class RemoteRows {
  readonly #deps: Deps;
  readonly #nodes = new Map<string, NodeRows>();
  /** The lists that are asked for, and those that wait for their turn, by node and hash. */
  readonly #asked = new Map<string, () => void>();
  readonly #wanted = new Map<string, { node: string; hash: string }>();
  readonly #texts = new Map<string, string>();
  readonly #ends: (() => void)[];
  #isClosed = false;
  #stopTimer: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#ends = [
      deps.bus.subscribe('reg.*', (message) => this.#takeDelta(message)),
      // A name became free, or one of ours was taken by a source of this node.
      deps.toolRegistryManager.onChange(({ type }) => {
        if (type === 'unregistered') this.#stopTimer ??= deps.clock.after(gatherMs, () => this.#rename());
      }),
    ];
  }

  list(): RemoteDevice[] {
    return [...this.#nodes.values()].flatMap(({ devices }) => [...devices.values()]);
  }

  /** The device with this id, at the node that has claimed it, while its tools can be called. */
  find(id: string): RemoteDevice | undefined {
    return this.holders(id).find(({ registry }) => registry !== undefined);
  }

  /** The device with this id at the nodes that claim it, the newest claim first. `alsoLost`: also at those that had it when they were lost. */
  holders(id: string, { alsoLost = false } = {}): RemoteDevice[] {
    const claimed: { device: RemoteDevice; claim: Stamp & { node: string } }[] = [];
    for (const [node, { devices, isLost }] of this.#nodes) {
      const device = devices.get(id);
      if ((isLost && !alsoLost) || device?.row.claim === undefined) continue;
      claimed.push({ device, claim: { ...this.#deps.hybrid.countOf(device.row.claim), node } });
    }
    return claimed.sort((one, other) => (isAfter(one.claim, other.claim) ? -1 : 1)).map(({ device }) => device);
  }

  /** A node is there, and its rows have this number: what is missing is asked for. */
  follow(node: string, seq: number): void {
    const rows = this.#rowsOf(node);
    if (rows.isLost) {
      rows.isLost = false;
      for (const device of rows.devices.values()) this.#offer(device);
      this.#deps.onChange();
    }
    if (rows.seq !== seq) this.#askForAll(node, rows);
  }

  /** The node is lost: its tools are withdrawn, its rows stay. */
  suspend(node: string): void {
    const rows = this.#rowsOf(node);
    rows.isLost = true;
    rows.stopAsking?.();
    for (const device of rows.devices.values()) this.#withdraw(device);
  }

  forget(node: string): void {
    this.suspend(node);
    this.#nodes.delete(node);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer?.();
    for (const end of [...this.#ends, ...this.#asked.values()]) end();
    for (const node of this.#nodes.keys()) this.forget(node);
    this.#deps.moving.close();
  }

  #rowsOf(node: string): NodeRows {
    const rows = this.#nodes.get(node) ?? {
      devices: new Map<string, RemoteDevice>(),
      lists: new Map<string, ToolMetadata & { bytes: number }>(),
      bytes: 0,
      seq: -1,
      isLost: false,
      hasDropped: false,
      later: [],
      laterBytes: 0,
    };
    this.#nodes.set(node, rows);
    return rows;
  }

  #takeDelta({ data, bytes }: BusMessage): void {
    const read = delta.safeParse(data);
    if (!read.success) return;
    const { node, seq } = read.data;
    const rows = this.#nodes.get(node);
    // Without a beat that is understood, nothing is known of the node; its next one has everything asked for.
    if (rows === undefined || rows.isLost) return;
    if (rows.stopAsking !== undefined) {
      rows.laterBytes += bytes;
      if (rows.laterBytes <= maxLaterBytes) rows.later.push(read.data);
    } else if (seq === rows.seq + 1) {
      this.#change(rows, read.data);
      this.#deps.onChange();
      // A change was missed, or the node is new: everything is asked for.
    } else this.#askForAll(node, rows);
  }

  #change(rows: NodeRows, { node, seq, set, gone }: Delta): void {
    rows.seq = seq;
    for (const id of gone) this.#remove(node, id);
    for (const row of set) this.#set(node, row);
    this.#dropLists(rows);
  }

  #dropLists(rows: NodeRows): void {
    const { devices, lists } = rows;
    const used = new Set(Array.from(devices.values(), ({ row }) => row.tools?.hash));
    for (const [hash, { bytes }] of lists) if (!used.has(hash) && lists.delete(hash)) rows.bytes -= bytes;
  }

  #askForAll(node: string, rows: NodeRows): void {
    if (rows.stopAsking !== undefined || rows.isLost) return;
    const seen = new Set<string>();
    let pages = 0;
    const stop = this.#deps.inbox.ask(`n.${node}.snap`, { v: wireVersion }, (answer) => {
      if (typeof answer === 'string') return;
      const page = snapshotPage.safeParse(answer.data);
      // Without one page, the rows that it had would be removed. It is asked for again.
      if (!page.success || page.data.at !== pages) return rows.stopAsking?.();
      pages += 1;
      startTimer();
      if (pages % pagesAhead === 0) this.#deps.inbox.askForMore(node, answer.topic);
      for (const row of page.data.rows) {
        seen.add(row.id);
        this.#set(node, row);
      }
      if (!page.data.isLast) return;
      for (const id of rows.devices.keys()) if (!seen.has(id)) this.#remove(node, id);
      rows.seq = page.data.seq;
      this.#dropLists(rows);
      for (const change of rows.later) if (change.seq === rows.seq + 1) this.#change(rows, change);
      rows.stopAsking?.();
      this.#deps.onChange();
    });
    let stopTimer: (() => void) | undefined;
    const startTimer = (): void => {
      stopTimer?.();
      stopTimer = this.#deps.clock.after(askAgainMs, () => rows.stopAsking?.());
    };
    startTimer();
    rows.stopAsking = () => {
      stop();
      stopTimer?.();
      rows.stopAsking = undefined;
      rows.later = [];
      rows.laterBytes = 0;
    };
  }

  /** Most devices have the board, the firmware and the tools of others: their texts are kept once. */
  #share(row: Row): void {
    const shared = (text: string): string => {
      const known = this.#texts.get(text);
      if (known === undefined && this.#texts.size < maxTexts) this.#texts.set(text, text);
      return known ?? text;
    };
    if (row.board !== undefined) row.board = shared(row.board);
    if (row.firmware !== undefined) row.firmware = shared(row.firmware);
    if (row.tools !== undefined) row.tools.hash = shared(row.tools.hash);
  }

  #set(node: string, row: Row): void {
    this.#share(row);
    const before = this.#rowsOf(node).devices.get(row.id)?.row.claim;
    if (!this.#keep(node, row)) return this.#drop(node, row.id);
    if (JSON.stringify(before) !== JSON.stringify(row.claim)) this.#deps.onRow(node, row);
  }

  #drop(node: string, id: string): void {
    this.#remove(node, id);
    const rows = this.#rowsOf(node);
    if (rows.hasDropped) return;
    rows.hasDropped = true;
    const name = this.#deps.nameOf(node);
    this.#deps.onError(new Error('Some devices are not listed here: there are too many.'), `the node "${name}"`);
  }

  /** False if there are too many. */
  #keep(node: string, row: Row): boolean {
    const rows = this.#rowsOf(node);
    const { devices } = rows;
    const known = devices.get(row.id);
    if (known === undefined && devices.size >= maxRows) return false;
    const added = bytesOf(row) - (known === undefined ? 0 : bytesOf(known.row));
    if (!this.#fits(rows, added)) return false;
    rows.bytes += added;
    if (known !== undefined && JSON.stringify(known.row.tools) === JSON.stringify(row.tools)) {
      const isRenamed = known.row.name !== row.name;
      known.row = row;
      if (isRenamed && known.registry !== undefined) this.#deps.toolRegistryManager.notifyChanged(known.registry.id);
      return true;
    }
    if (known !== undefined) this.#withdraw(known);
    const device = { node, row };
    devices.set(row.id, device);
    this.#offer(device);
    return true;
  }

  /** Whether so many bytes more of a node may be kept. */
  #fits(rows: NodeRows, added: number): boolean {
    let all = added;
    for (const { bytes } of this.#nodes.values()) all += bytes;
    return rows.bytes + added <= maxBytes.node && all <= maxBytes.all;
  }

  #remove(node: string, id: string): void {
    const rows = this.#rowsOf(node);
    const device = rows.devices.get(id);
    if (device === undefined) return;
    this.#withdraw(device);
    rows.devices.delete(id);
    rows.bytes -= bytesOf(device.row);
  }

  #withdraw(device: RemoteDevice): void {
    const { registry, node, row } = device;
    device.registry = undefined;
    const { toolRegistryManager, moving, nameOf } = this.#deps;
    if (registry === undefined || toolRegistryManager.getTool(registry.id) !== registry) return;
    if (row.claim === undefined || !moving.keep(row.id, { node, registry }))
      toolRegistryManager.unregister(registry.id, { lostNode: this.#rowsOf(node).isLost ? nameOf(node) : undefined });
  }

  #offer(device: RemoteDevice): void {
    const { node, row } = device;
    if (device.registry !== undefined || row.tools === undefined || this.#rowsOf(node).isLost) return;
    const list = this.#rowsOf(node).lists.get(row.tools.hash);
    if (list === undefined) return this.#want(node, row.tools.hash);
    this.#deps.moving.release(row.id);
    const id = this.#freeId(row.tools.registryId, node);
    if (id === undefined) return;
    try {
      const registry = this.#deps.createRegistry(id, device, list);
      this.#deps.toolRegistryManager.register(registry);
      device.registry = registry;
    } catch (error) {
      this.#deps.onError(error, `the tools of ${row.id} at another node`);
    }
  }

  /** The owner's own id, unless another source has it: saved calls work in the window of any node. */
  #freeId(id: string, node: string): string | undefined {
    const byName = `${id}_${this.#deps.nameOf(node).replaceAll(/[^A-Za-z0-9-]/g, '-')}`.slice(0, maximumToolIdLength);
    const ids = [id, byName, `${id.slice(0, maximumToolIdLength - 17)}_${node}`];
    return ids.find((one) => this.#deps.toolRegistryManager.getTool(one) === undefined);
  }

  /** Gives devices the names that are free by now, and others to those whose names were taken. */
  #rename(): void {
    this.#stopTimer = undefined;
    const { toolRegistryManager } = this.#deps;
    for (const device of this.list()) {
      const { registry, row } = device;
      if (row.tools === undefined) continue;
      const isTaken = registry !== undefined && toolRegistryManager.getTool(registry.id) !== registry;
      const isFree = toolRegistryManager.getTool(row.tools.registryId) === undefined;
      if (!isTaken && !(registry !== undefined && registry.id !== row.tools.registryId && isFree)) continue;
      this.#withdraw(device);
      this.#offer(device);
    }
    this.#deps.onChange();
  }

  #offerAll(devices: RemoteDevice[]): void {
    for (const device of devices.splice(0, offersAtOnce))
      if (this.#nodes.get(device.node)?.devices.get(device.row.id) === device) this.#offer(device);
    this.#deps.onChange();
    if (devices.length > 0 && !this.#isClosed) this.#deps.clock.after(0, () => this.#offerAll(devices));
  }

  #want(node: string, hash: string): void {
    const key = `${node}/${hash}`;
    if (this.#asked.has(key)) return;
    if (this.#asked.size >= maxAsked) this.#wanted.set(key, { node, hash });
    else this.#askForTools(node, hash);
  }

  #askForTools(node: string, hash: string): void {
    const key = `${node}/${hash}`;
    const rows = this.#rowsOf(node);
    const isWanted = ({ node: at, row }: RemoteDevice): boolean => at === node && row.tools?.hash === hash;
    let bytes = 0;
    const fits = (more: number): boolean => {
      const isKept = this.#fits(rows, more);
      bytes += more;
      rows.bytes += more;
      return isKept;
    };
    const stop = fetchTools(this.#deps, { node, hash, fits }, (list) => {
      end();
      if (list !== undefined) {
        const kept = list.methods.length === 0 ? 0 : bytes;
        rows.bytes += kept;
        rows.lists.set(hash, { ...list, bytes: kept });
        this.#offerAll(this.list().filter(isWanted));
        // Asked again only while a device of the live node has it.
      } else if (this.#nodes.get(node)?.isLost === false && this.list().some(isWanted))
        this.#wanted.set(key, { node, hash });
      this.#askForNext();
    });
    const end = (): void => {
      stop();
      this.#asked.delete(key);
      rows.bytes -= bytes;
    };
    this.#asked.set(key, end);
  }

  #askForNext(): void {
    const [wanted] = this.#wanted;
    if (wanted === undefined) return;
    this.#wanted.delete(wanted[0]);
    this.#want(wanted[1].node, wanted[1].hash);
  }
}

function bytesOf(row: Row): number {
  return Buffer.byteLength(JSON.stringify(row));
}
