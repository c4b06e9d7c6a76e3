import type { Clock } from '../../base/clock.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../registry/types.ts';

/** ms that the device of a node that restarts may take to connect to another. */
export const moveMs = 30_000;

interface Deps {
  clock: Clock;
  toolRegistryManager: ToolRegistryManager;
  isDraining: (node: string) => boolean;
}

/** The tools of devices that a restarting node has disconnected: they stay listed, and their calls wait for the device. */
export class MovingDevices {
  readonly #deps: Deps;
  readonly #kept = new Map<string, { registry: ToolRegistry; stopTimer: () => void }>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Keeps the tools for a while if the device is expected at another node; false if it is not. */
  keep(id: string, { node, registry }: { node: string; registry: ToolRegistry }): boolean {
    if (!this.#deps.isDraining(node)) return false;
    this.release(id);
    this.#kept.set(id, { registry, stopTimer: this.#deps.clock.after(moveMs, () => this.release(id)) });
    return true;
  }

  /** The device is back, or is not expected any longer. */
  release(id: string): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    kept.stopTimer();
    this.#kept.delete(id);
    const { toolRegistryManager } = this.#deps;
    const { registry } = kept;
    if (toolRegistryManager.getTool(registry.id) === registry) toolRegistryManager.unregister(registry.id);
  }

  close(): void {
    for (const id of this.#kept.keys()) this.release(id);
  }
}
