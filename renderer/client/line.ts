import type { Client } from '../../src-core/rpc/client.ts';

/** One open way to the engine. */
export interface Line {
  client: Client;
  /** Called once, when the line is gone. */
  onClose(listener: () => void): void;
  close(): void;
}

/** An engine answers, but does not let this window in: it was started again, and knows only who opens its new link. */
export class NotLetInError extends Error {
  override readonly name = 'NotLetInError';
}

/** Opens a line; rejects with the reason where it cannot. */
export type OpenLine = (signal: AbortSignal) => Promise<Line>;
