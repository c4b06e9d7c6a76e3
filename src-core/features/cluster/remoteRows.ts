import type { Clock } from '../../base/clock.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../registry/types.ts';
import type { Bus, BusMessage } from './bus.ts';
import type { Inbox } from './inbox.ts';
import { delta, snapshotPage, toolsAnswer, wireVersion, type Row, type ToolsAnswer } from './messages.ts';

/** ms until a question that was not answered is asked again. */
const askAgainMs = 2_000;
/** Devices of one node that are listed. */
const maxRows = 100_000;

/** A device of another node. */
export interface RemoteDevice {
  node: string;
  row: Row;
  /** While its tools can be called. */
  registry?: ToolRegistry | undefined;
}

interface NodeRows {
  devices: Map<string, RemoteDevice>;
  /** Of the last change that was taken. */
  seq: number;
  isLost: boolean;
  /** Ends the wait for a snapshot. */
  stopAsking?: (() => void) | undefined;
}

interface Deps {
  bus: Bus;
  inbox: Inbox;
  clock: Clock;
  toolRegistryManager: ToolRegistryManager;
  /** The tools of a device as a source of methods. */
  createRegistry: (id: string, device: RemoteDevice, list: ToolsAnswer) => ToolRegistry;
  nameOf: (node: string) => string;
  onChange: () => void;
}

/** The devices of the other nodes. Registers their tools; equal lists of tools are fetched once. */
export class RemoteRows {
  readonly #deps: Deps;
  readonly #nodes = new Map<string, NodeRows>();
  readonly #lists = new Map<string, ToolsAnswer | 'asked'>();
  readonly #stopDeltas: () => void;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#stopDeltas = deps.bus.subscribe('reg.*', (message) => this.#takeDelta(message));
  }

  list(): RemoteDevice[] {
    return [...this.#nodes.values()].flatMap(({ devices }) => [...devices.values()]);
  }

  /** The device with this id, at a node where its tools can be called. */
  find(id: string): RemoteDevice | undefined {
    for (const { devices } of this.#nodes.values()) {
      const device = devices.get(id);
      if (device?.registry !== undefined) return device;
    }
    return undefined;
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
    this.#stopDeltas();
    for (const node of this.#nodes.keys()) this.forget(node);
  }

  #rowsOf(node: string): NodeRows {
    const rows = this.#nodes.get(node) ?? { devices: new Map<string, RemoteDevice>(), seq: -1, isLost: false };
    this.#nodes.set(node, rows);
    return rows;
  }

  #takeDelta({ data }: BusMessage): void {
    const read = delta.safeParse(data);
    if (!read.success) return;
    const { node, seq, set, gone } = read.data;
    const rows = this.#rowsOf(node);
    // A change was missed, or the node is new: everything is asked for. Changes meanwhile are part of the answer.
    if (seq !== rows.seq + 1) return this.#askForAll(node, rows);
    rows.seq = seq;
    for (const row of set) this.#set(node, row);
    for (const id of gone) this.#remove(node, id);
    this.#deps.onChange();
  }

  #askForAll(node: string, rows: NodeRows): void {
    if (rows.stopAsking !== undefined || rows.isLost) return;
    const seen = new Set<string>();
    const stop = this.#deps.inbox.ask(`n.${node}.snap`, { v: wireVersion }, (answer) => {
      const page = snapshotPage.safeParse(answer?.data);
      if (!page.success) return;
      for (const row of page.data.rows) {
        seen.add(row.id);
        this.#set(node, row);
      }
      if (!page.data.isLast) return;
      for (const id of rows.devices.keys()) if (!seen.has(id)) this.#remove(node, id);
      rows.seq = page.data.seq;
      rows.stopAsking?.();
      this.#deps.onChange();
    });
    const cancelTimer = this.#deps.clock.after(askAgainMs, () => rows.stopAsking?.());
    rows.stopAsking = () => {
      stop();
      cancelTimer();
      rows.stopAsking = undefined;
    };
  }

  #set(node: string, row: Row): void {
    const { devices } = this.#rowsOf(node);
    const known = devices.get(row.id);
    if (known === undefined && devices.size >= maxRows) return;
    if (known !== undefined && JSON.stringify(known.row.tools) === JSON.stringify(row.tools)) {
      const isRenamed = known.row.name !== row.name;
      known.row = row;
      if (isRenamed && known.registry !== undefined) this.#deps.toolRegistryManager.notifyChanged(known.registry.id);
      return;
    }
    if (known !== undefined) this.#withdraw(known);
    const device = { node, row };
    devices.set(row.id, device);
    this.#offer(device);
  }

  #remove(node: string, id: string): void {
    const { devices } = this.#rowsOf(node);
    const device = devices.get(id);
    if (device === undefined) return;
    this.#withdraw(device);
    devices.delete(id);
  }

  #withdraw(device: RemoteDevice): void {
    if (device.registry !== undefined) this.#deps.toolRegistryManager.unregister(device.registry.id);
    device.registry = undefined;
  }

  #offer(device: RemoteDevice): void {
    const { node, row } = device;
    if (device.registry !== undefined || row.tools === undefined || this.#rowsOf(node).isLost) return;
    const list = this.#lists.get(row.tools.hash);
    if (list === undefined) this.#askForTools(node, row.tools.hash);
    if (list === undefined || list === 'asked') return;
    device.registry = this.#deps.createRegistry(this.#freeId(row.tools.registryId, node), device, list);
    this.#deps.toolRegistryManager.register(device.registry);
  }

  /** The owner's own id, unless another source has it: saved calls work in the window of any node. */
  #freeId(id: string, node: string): string {
    const byName = `${id}_${this.#deps.nameOf(node).replaceAll(/[^A-Za-z0-9-]/g, '-')}`;
    const isFree = (one: string): boolean => this.#deps.toolRegistryManager.getTool(one) === undefined;
    return [id, byName].find(isFree) ?? `${id}_${node}`;
  }

  #askForTools(node: string, hash: string): void {
    this.#lists.set(hash, 'asked');
    const offerAll = (): void => {
      for (const device of this.list()) if (device.row.tools?.hash === hash) this.#offer(device);
    };
    const stop = this.#deps.inbox.ask(`n.${node}.tools`, { v: wireVersion, hash }, (answer) => {
      const read = toolsAnswer.safeParse(answer?.data);
      if (!read.success || read.data.methods === undefined) return;
      this.#lists.set(hash, read.data);
      stop();
      cancelTimer();
      offerAll();
      this.#deps.onChange();
    });
    const cancelTimer = this.#deps.clock.after(askAgainMs, () => {
      stop();
      this.#lists.delete(hash);
      offerAll();
    });
  }
}
