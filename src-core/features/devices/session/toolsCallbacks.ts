import { reportError } from '../../../base/reportError.ts';
import type { ToolDefinition } from '../../../registry/toolDefinition.ts';

/** Takes a device's tools. */
export type ToolsCallback = (tools: ToolDefinition[]) => void;

/** The callbacks that are told of a device's tools. One that throws is reported, and the others are called. */
export class ToolsCallbacks {
  readonly #entries = new Set<{ callback: ToolsCallback }>();

  /** Adds one, also a second time. Returns the function that removes it. */
  add(callback: ToolsCallback): () => void {
    const entry = { callback };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  call(tools: ToolDefinition[]): void {
    for (const { callback } of [...this.#entries]) {
      try {
        callback(tools);
      } catch (error) {
        reportError(error, 'a callback of setDeviceToolsCallback');
      }
    }
  }
}
