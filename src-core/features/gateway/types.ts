import type { JsonValue } from '../../base/json.ts';

/** Something that happened, for a log (CLOUD_LOG_LEVEL). */
export interface GatewayEvent {
  level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';
  /** What happened, in words: `connected`, `turn ended` … */
  message: string;
  /** The connection it is about. */
  connection?: string;
  /** More facts. */
  [fact: string]: JsonValue | undefined;
}
