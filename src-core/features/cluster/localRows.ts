import { createHash } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import { isAdmittedState, type DeviceInfo } from '../../contract/deviceInfo.ts';
import { callDanger } from '../../registry/callDanger.ts';
import { otherNodeOf } from '../../registry/departedTool.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolMetadata, ToolRegistry } from '../../registry/types.ts';
import type { Bus, BusMessage } from './bus.ts';
import type { Claims } from './claims.ts';
import type { Pacing } from './pacing.ts';
import { isUnderstood, pagesOf, snapshotRequest, toolsRequest, wireVersion, type Row } from './messages.ts';

/** Changes are gathered for this long, ms. */
const gatherMs = 32;

interface Deps {
  bus: Bus;
  node: string;
  claims: Pick<Claims, 'touched' | 'of' | 'isGivenUp'>;
  pacing: Pick<Pacing, 'send'>;
  clock: Clock;
  toolRegistryManager: ToolRegistryManager;
  devices: () => DeviceInfo[];
  device: (id: string) => DeviceInfo | undefined;
  registryId: (id: string) => string | undefined;
  /** Called when a device changes. Returns the function that ends this. */
  followDevices: (listener: (id: string) => void) => () => void;
  /** What asks first at this node: patterns of qualified names, or every call. */
  asksFirst: () => { dangerousTools: readonly string[]; always: boolean };
}

/** The devices of this node, as the others see them. Publishes a row when it changes, and answers questions for rows and tools. */
export class LocalRows {
  readonly #deps: Deps;
  readonly #rows = new Map<string, { row: Row; json: string }>();
  readonly #lists = new Map<string, ToolMetadata>();
  readonly #connections = new WeakMap<ToolRegistry, number>();
  /** By the revision of the registry and what asks first. */
  readonly #hashes = new WeakMap<
    ToolRegistry,
    ReturnType<Deps['asksFirst']> & { revision: number | undefined; hash: string }
  >();
  readonly #touched = new Set<string>();
  readonly #ends: (() => void)[];
  #connected = 0;
  #seq = 0;
  #stopTimer: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { bus, node, claims, toolRegistryManager } = deps;
    const touch = (id: string): void => {
      claims.touched(id);
      this.#touch(id);
    };
    for (const { id } of deps.devices()) {
      claims.touched(id, true);
      this.#touch(id);
    }
    this.#ends = [
      deps.followDevices(touch),
      toolRegistryManager.onChange(({ registry: { source } }) => {
        if (source.kind === 'device' && otherNodeOf(source.id) === undefined) touch(source.id);
      }),
      bus.subscribe(`n.${node}.snap`, (message) => this.#answerSnapshot(message)),
      bus.subscribe(`n.${node}.tools`, ({ data, reply }) => {
        const request = toolsRequest.safeParse(data);
        if (reply !== undefined && request.success) this.#answerTools(reply, request.data.hash);
      }),
    ];
  }

  /** Of the last change that was published. */
  get seq(): number {
    return this.#seq;
  }

  /** Devices that are connected and do not wait for approval. */
  get count(): number {
    return [...this.#rows.values()].filter(({ row }) => isAdmittedState(row.state)).length;
  }

  ids(): string[] {
    return [...this.#rows.keys()];
  }

  /** The tools of a device's present connection, and the connection's number. */
  connection(id: string): { registry: ToolRegistry; number: number } | undefined {
    const registryId = this.#deps.claims.isGivenUp(id) ? undefined : this.#deps.registryId(id);
    const registry = registryId === undefined ? undefined : this.#deps.toolRegistryManager.getTool(registryId);
    if (registry === undefined) return undefined;
    const number = this.#connections.get(registry) ?? (this.#connected += 1);
    this.#connections.set(registry, number);
    return { registry, number };
  }

  /** Of the tools that a device has now, whatever was published of it. Equal tools have equal hashes, whichever device has them. */
  hash(registry: ToolRegistry): string {
    const { dangerousTools, always } = this.#deps.asksFirst();
    const revision = this.#deps.toolRegistryManager.revisionOf(registry.id);
    const known = this.#hashes.get(registry);
    if (
      known !== undefined &&
      this.#lists.has(known.hash) &&
      known.revision === revision &&
      known.dangerousTools === dangerousTools &&
      known.always === always
    )
      return known.hash;
    const { methods, error } = registry.getMetadata();
    const list = {
      methods: methods.map((method) => {
        const asks = always || callDanger({ method, qualifiedName: `${registry.id}_${method.name}` }, dangerousTools);
        return asks && method.danger === undefined ? { ...method, danger: 'Its node asks before it runs.' } : method;
      }),
      ...(error !== undefined && { error }),
    };
    const hash = createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 22);
    this.#lists.set(hash, list);
    this.#hashes.set(registry, { revision, dangerousTools, always, hash });
    return hash;
  }

  /** What asks first has changed: it is part of the lists of tools. */
  touchAll(): void {
    for (const id of this.#rows.keys()) this.#touch(id);
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
    /** Ids are of those that are gone. */
    const changes: (Row | string)[] = [];
    for (const id of this.#touched) {
      const info = this.#deps.device(id);
      if (info === undefined) {
        if (this.#rows.delete(id)) changes.push(id);
        continue;
      }
      const row = this.#rowOf(info);
      const json = JSON.stringify(row);
      if (this.#rows.get(id)?.json === json) continue;
      this.#rows.set(id, { row, json });
      changes.push(row);
    }
    this.#touched.clear();
    const { bus, node } = this.#deps;
    for (const page of pagesOf(changes, bus.maxBytes)) {
      if (page.length === 0) continue;
      this.#seq += 1;
      const set = page.filter((change) => typeof change !== 'string');
      const gone = page.filter((change) => typeof change === 'string');
      bus.publish(`reg.${node}`, { v: wireVersion, node, seq: this.#seq, set, gone });
    }
    const used = new Set(Array.from(this.#rows.values(), ({ row }) => row.tools?.hash));
    for (const hash of this.#lists.keys()) if (!used.has(hash)) this.#lists.delete(hash);
  }

  #rowOf(info: DeviceInfo): Row {
    const { id, deviceId, clientId, name, state, health, board, firmware, virtual, connectedAt, toolCount } = info;
    const { error, wasRejected, doctor } = info;
    const { cause, faults } = doctor;
    const call = doctor.steps.find((step) => step.id === 'call')?.fact;
    const connection = this.connection(id);
    const claim = this.#deps.claims.of(id);
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
      ...(wasRejected && { wasRejected }),
      connectedAt,
      toolCount,
      ...(cause !== undefined && { doctor: { cause, faults, call } }),
      ...(claim && { claim }),
      ...(state === 'failed' && error && { error: { code: error.code, message: error.message.slice(0, 1_024) } }),
      ...(connection !== undefined && {
        tools: {
          registryId: connection.registry.id,
          connection: connection.number,
          hash: this.hash(connection.registry),
        },
      }),
    };
  }

  #answerTools(reply: string, hash: string): void {
    const { bus, pacing } = this.#deps;
    const list = this.#lists.get(hash);
    if (list === undefined) return void bus.publish(reply, { isLast: true });
    const pages = pagesOf(list.methods, bus.maxBytes).map((methods, at, { length }) => {
      const isLast = at === length - 1;
      return { methods, ...(isLast && list.error !== undefined && { error: list.error }), isLast };
    });
    // A method that is larger than a message is left out, and the list says so.
    const error = 'A tool is too large to be listed at other nodes.';
    void pacing.send(reply, pages, { instead: ({ isLast }) => ({ methods: [], error, isLast }) });
  }

  #answerSnapshot({ data, reply }: BusMessage): void {
    const request = snapshotRequest.safeParse(data);
    if (reply === undefined || !request.success || !isUnderstood(request.data.v)) return;
    const { bus, pacing } = this.#deps;
    const rows = Array.from(this.#rows.values(), ({ row }) => row);
    const pages = pagesOf(rows, bus.maxBytes);
    const seq = this.#seq;
    void pacing.send(
      reply,
      pages.map((page, at) => ({ seq, at, rows: page, isLast: at === pages.length - 1 })),
    );
  }
}
