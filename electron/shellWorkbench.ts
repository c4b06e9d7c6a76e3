import type { PortLike } from '../src-core/rpc/portWire.ts';
import type { Opening } from '../src-core/contract/types.ts';
import type { JsonValue } from '../src-core/base/json.ts';
import type { LiveWork } from '../src-core/contract/types.ts';

/** The part of the engine that the desktop shell uses. */
export interface ShellWorkbench {
  /** Serves the contract on a port. Returns the function that ends that. */
  servePort(port: PortLike): () => void;
  settings: {
    get(): { theme: 'system' | 'light' | 'dark'; locale: 'system' | 'en' | 'zh'; ui: Record<string, JsonValue> };
    set(change: { ui: Record<string, JsonValue> }): Promise<unknown>;
  };
  /** Calls the listener once soon, and after each change of the settings. */
  onSettings(listener: () => void): void;
  /** Calls the listener once soon, and after a call or a series has started or ended. */
  onCalls(listener: () => void): void;
  /** What would be interrupted if the workbench closed now. */
  live(): LiveWork;
  /** Pings all devices now: the computer has slept. */
  checkConnections(): void;
  /** Opens a file or folder that the system passed. Rejects with a message for the user. */
  openFile(path: string): Promise<Opening>;
  /** Shows it in the window. */
  show(opening: Opening): void;
  close(): Promise<void>;
}
