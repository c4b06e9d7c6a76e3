import type { Client } from '../../src-core/rpc/client.ts';

/** An open connection to the engine. */
export interface Line {
  client: Client;
  /** The listener is called once, when the connection is closed. */
  onClose(listener: () => void): void;
  close(): void;
}

/** The engine rejects this window: it was restarted and accepts only windows that were opened by its new link. */
export class NotLetInError extends Error {
  override readonly name = 'NotLetInError';
}

/** Opens a connection; rejects with the reason if it fails. */
export type OpenLine = (signal: AbortSignal) => Promise<Line>;
