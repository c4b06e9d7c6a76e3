import type { Client } from '../../src-core/api/client.ts';

/** One open way to the engine. */
export interface Line {
  client: Client;
  /** Called once, when the line is gone. */
  onClose(listener: () => void): void;
  close(): void;
}

/** Opens a line; rejects with the reason where it cannot. */
export type OpenLine = (signal: AbortSignal) => Promise<Line>;
