import type { Clock } from '../../base/clock.ts';
import type { RealtimeDialectName, RealtimeScript } from '../realtimeProfile.ts';

export interface ScriptedRealtimeServerOptions {
  dialect: RealtimeDialectName;
  /**
   * As `readRealtimeScript` returns it. Default: the built-in script, in the language of the session's instructions.
   */
  script?: RealtimeScript | undefined;
  /** Required as `Authorization: Bearer …` if set; 401 otherwise. */
  key?: string | undefined;
  /** Default 0. Listens on 127.0.0.1 only. */
  port?: number | undefined;
  /** ms between two pieces of the voice; 0 sends all at once, for tests. Real time unless told. */
  paceMs?: number | undefined;
  clock?: Clock | undefined;
  /** Hears of what goes wrong in the listener itself; clients are told of their own. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A running scripted server: a real WebSocket server on this machine. */
export interface ScriptedRealtimeServer {
  /** `ws://127.0.0.1:PORT/v1/realtime` */
  readonly url: string;
  /**
   * Every event that came, of all connections, in order; bounded to the last 10,000. Sound in it is cut to its length:
   * `"audio":"<4800 bytes>"`.
   */
  readonly received: { connection: number; event: Record<string, unknown> }[];
  close(): Promise<void>;
}
