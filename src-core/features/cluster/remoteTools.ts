import type { JsonObject } from '../../base/json.ts';
import type { ToolSource } from '../../base/toolTypes.ts';
import { otherNodeOf } from '../../registry/departedTool.ts';
import type { InvokeOptions, ToolMetadata, ToolOutput, ToolRegistry } from '../../registry/types.ts';
import type { RemoteDevice } from './remoteRows.ts';

/** Sends a call to the node of its device. */
interface Calls {
  nameOf(node: string): string;
  invoke(device: RemoteDevice, method: string, args: JsonObject, options: InvokeOptions): Promise<ToolOutput>;
}

/** The tools of a device of another node. A class, as a literal's closures take half the memory of a remote device. */
export class RemoteTools implements ToolRegistry {
  readonly id: string;
  readonly #device: RemoteDevice;
  readonly #list: ToolMetadata;
  readonly #calls: Calls;

  constructor({ id, device, list, calls }: { id: string; device: RemoteDevice; list: ToolMetadata; calls: Calls }) {
    this.id = id;
    this.#device = device;
    this.#list = list;
    this.#calls = calls;
  }

  get name(): string {
    return this.#device.row.name;
  }

  get source(): ToolSource {
    const { node } = this.#device;
    return { kind: 'device', id: remoteId(this.#device), label: this.name, node: this.#calls.nameOf(node) };
  }

  get endsCalls(): true {
    return true;
  }

  /** A call may wait for its device to move before it is sent. */
  get queued(): true {
    return true;
  }

  get yields(): true {
    return true;
  }

  getMetadata(): ToolMetadata {
    return this.#list;
  }

  invoke(method: string, args: JsonObject, options: InvokeOptions): Promise<ToolOutput> {
    return this.#calls.invoke(this.#device, method, args, options);
  }
}

/** The id of a device of another node in this node's lists. */
export function remoteId({ node, row }: Pick<RemoteDevice, 'node' | 'row'>): string {
  return `${row.id}@${node}`;
}

/** The node that has the device of these tools, if it is another one. */
export function deviceNode(registry: Pick<ToolRegistry, 'source'> | undefined): string | undefined {
  if (registry?.source.kind !== 'device') return undefined;
  return otherNodeOf(registry.source.id);
}
