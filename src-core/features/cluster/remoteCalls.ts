import { maximumDelay } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { InvokeOptions, ToolMetadata, ToolOutput, ToolRegistry } from '../../registry/types.ts';
import { hasLeft, notRun } from './callErrors.ts';
import { wireVersion } from './messages.ts';
import type { RemoteDevice } from './remoteRows.ts';
import { RemoteTools } from './remoteTools.ts';
import { SentCall, type SentCallDeps } from './sentCall.ts';

/** Sends calls to the nodes that have the devices, each at most once unless the answer says that nothing ran. */
export class RemoteCalls {
  readonly #deps: SentCallDeps;
  /** Those that wait for a node, or for their device to move. */
  readonly #open = new Set<SentCall>();
  #sent = 0;
  #isClosed = false;

  constructor(deps: SentCallDeps) {
    this.#deps = deps;
  }

  /** The tools of a device as a source of methods. */
  createRegistry(id: string, device: RemoteDevice, list: ToolMetadata): ToolRegistry {
    return new RemoteTools({ id, device, list, calls: this });
  }

  nameOf(node: string): string {
    return this.#deps.nameOf(node);
  }

  /** A node is lost, or has left in order: calls that wait for it fail. */
  failNode(node: string): void {
    for (const call of [...this.#open]) if (call.owner === node) call.lose(node);
  }

  /** Ends all calls when this node leaves the cluster: it would not receive their outcomes. */
  close(): void {
    this.#isClosed = true;
    for (const call of [...this.#open]) call.close();
  }

  invoke(device: RemoteDevice, method: string, args: JsonObject, options: InvokeOptions): Promise<ToolOutput> {
    const { tools, id, name } = device.row;
    if (this.#isClosed) return Promise.reject(notRun(hasLeft));
    if (tools === undefined) return Promise.reject(notRun(`"${name}" is not connected.`));
    const request = {
      v: wireVersion,
      node: this.#deps.node,
      n: (this.#sent += 1),
      callId: options.callId,
      device: id,
      hash: tools.hash,
      method,
      shownName: options.shownName?.slice(0, 1_024),
      args: JSON.stringify(args),
      // JSON has no Infinity.
      timeoutMs: Math.min(options.timeoutMs, maximumDelay),
    };
    return new Promise<ToolOutput>((resolve, reject) => {
      const call = new SentCall(this.#deps, this.#open, { deviceName: name, request, args, options, resolve, reject });
      call.send({ node: device.node, connection: tools.connection }, 0);
    });
  }
}
