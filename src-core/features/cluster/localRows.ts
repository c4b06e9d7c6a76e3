import { createHash } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import type { DeviceInfo } from '../../contract/deviceInfo.ts';
import { callDanger } from '../../registry/callDanger.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../registry/types.ts';
import type { Bus, BusMessage } from './bus.ts';
import { isUnderstood, snapshotRequest, toolsRequest, wireVersion, type Row, type ToolsAnswer } from './messages.ts';

/** Changes are gathered for this long, ms. */
const gatherMs = 32;
/** Rows in one message: a row has at most about 1 kB, and a message may have 1 MiB. */
const rowsInMessage = 200;

interface Deps {
  bus: Bus;
  node: string;
  clock: Clock;
  toolRegistryManager: ToolRegistryManager;
  devices: () => DeviceInfo[];
  device: (id: string) => DeviceInfo | undefined;
  /** Called when a device changes. Returns the function that ends this. */
  followDevices: (hear: (id: string) => void) => () => void;
  /** Patterns of qualified names that ask first at this node. */
  dangerousTools: () => readonly string[];
}

/** The devices of this node, as the others see them. Publishes a row when it changes, and answers questions for rows and tools. */
export class LocalRows {
  readonly #deps: Deps;
  readonly #rows = new Map<string, { row: Row; json: string }>();
  readonly #lists = new Map<string, ToolsAnswer>();
  readonly #connections = new WeakMap<ToolRegistry, number>();
  readonly #touched = new Set<string>();
  readonly #ends: (() => void)[];
  #connected = 0;
  #seq = 0;
  #stopTimer: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { bus, node, toolRegistryManager } = deps;
    const touch = (id: string): void => this.#touch(id);
    for (const { id } of deps.devices()) touch(id);
    this.#ends = [
      deps.followDevices(touch),
      toolRegistryManager.onChange(({ registry: { source } }) => {
        if (source.kind === 'device') touch(source.id);
      }),
      bus.subscribe(`n.${node}.snap`, (message) => this.#answerSnapshot(message)),
      bus.subscribe(`n.${node}.tools`, ({ data, reply }) => {
        const request = toolsRequest.safeParse(data);
        if (reply !== undefined && request.success) bus.publish(reply, this.#lists.get(request.data.hash) ?? {});
      }),
    ];
  }

  /** Of the last change that was published. */
  get seq(): number {
    return this.#seq;
  }

  get count(): number {
    return this.#rows.size;
  }

  row(id: string): Row | undefined {
    return this.#rows.get(id)?.row;
  }

  /** The tools of a device's present connection, and the connection's number. */
  connection(id: string): { registry: ToolRegistry; number: number } | undefined {
    const registryId = this.#deps.device(id)?.registryId;
    const registry = registryId === undefined ? undefined : this.#deps.toolRegistryManager.getTool(registryId);
    if (registry === undefined) return undefined;
    const number = this.#connections.get(registry) ?? (this.#connected += 1);
    this.#connections.set(registry, number);
    return { registry, number };
  }

  close(): void {
    this.#stopTimer?.();
    for (const end of this.#ends) end();
  }

  #touch(id: string): void {
    this.#touched.add(id);
    this.#stopTimer ??= this.#deps.clock.after(gatherMs, () => this.#publish());
  }

  #publish(): void {
    this.#stopTimer = undefined;
    const set: Row[] = [];
    const gone: string[] = [];
    for (const id of this.#touched) {
      const info = this.#deps.device(id);
      if (info === undefined) {
        if (this.#rows.delete(id)) gone.push(id);
        continue;
      }
      const row = this.#rowOf(info);
      const json = JSON.stringify(row);
      if (this.#rows.get(id)?.json === json) continue;
      this.#rows.set(id, { row, json });
      set.push(row);
    }
    this.#touched.clear();
    const { bus, node } = this.#deps;
    for (let at = 0; at < Math.max(set.length, gone.length); at += rowsInMessage) {
      this.#seq += 1;
      const part = { set: set.slice(at, at + rowsInMessage), gone: gone.slice(at, at + rowsInMessage) };
      bus.publish(`reg.${node}`, { v: wireVersion, node, seq: this.#seq, ...part });
    }
    const used = new Set(Array.from(this.#rows.values(), ({ row }) => row.tools?.hash));
    for (const hash of this.#lists.keys()) if (!used.has(hash)) this.#lists.delete(hash);
  }

  #rowOf(info: DeviceInfo): Row {
    const { id, deviceId, clientId, name, state, health, board, firmware, virtual, connectedAt, toolCount } = info;
    const connection = this.connection(id);
    return {
      id,
      deviceId,
      ...(clientId !== undefined && { clientId }),
      name,
      state,
      health,
      ...(board !== undefined && { board }),
      ...(firmware !== undefined && { firmware }),
      virtual,
      connectedAt,
      toolCount,
      ...(connection !== undefined && {
        tools: {
          registryId: connection.registry.id,
          connection: connection.number,
          hash: this.#hashOf(connection.registry),
        },
      }),
    };
  }

  /** Equal tools have equal hashes, whichever device has them. */
  #hashOf(registry: ToolRegistry): string {
    const metadata = registry.getMetadata();
    const dangerousTools = this.#deps.dangerousTools();
    const methods = metadata.methods.map((method) => {
      const danger = callDanger({ method, qualifiedName: `${registry.id}_${method.name}` }, dangerousTools);
      return danger === undefined ? method : { ...method, danger };
    });
    const list = { ...metadata, methods };
    const hash = createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 22);
    this.#lists.set(hash, list);
    return hash;
  }

  #answerSnapshot({ data, reply }: BusMessage): void {
    const request = snapshotRequest.safeParse(data);
    if (reply === undefined || !request.success || !isUnderstood(request.data.v)) return;
    const all = Array.from(this.#rows.values(), ({ row }) => row);
    for (let at = 0; at === 0 || at < all.length; at += rowsInMessage) {
      const rows = all.slice(at, at + rowsInMessage);
      this.#deps.bus.publish(reply, { seq: this.#seq, rows, isLast: at + rowsInMessage >= all.length });
    }
  }
}
