import type { JsonValue } from '../../base/json.ts';
import type { Configuration } from './messages.ts';

/** One client that is connected now, as data. */
export interface GatewayConnectionInfo {
  /** Unique while the gateway runs. */
  id: string;
  /** Address and port; untrusted. */
  remote: string;
  /** The client's `User-Agent`; absent if it sends none. Untrusted. */
  userAgent?: string;
  /** The session it is in; absent between `end_session` and the next one. */
  sessionId?: string;
  /** Id of the registry of its tools; registered once it has one. */
  registryId: string;
  /** Names of its tools. */
  tools: string[];
  configuration: Configuration;
  /** Turns that wait and run. */
  turns: number;
  /** Epoch ms. */
  connectedAt: number;
  lastSeenAt: number;
  counters: { framesIn: number; framesOut: number; bytesIn: number; bytesOut: number };
}

/** An origin of web pages that were refused. */
export interface RefusedPage {
  /** As the browser named it; `null` for a page of a file. Untrusted. */
  origin: string;
  /** Attempts. */
  count: number;
  /** Epoch ms. */
  lastAt: number;
}

/** One session, as data. */
export interface GatewaySessionInfo {
  id: string;
  /** Epoch ms. */
  startedAt: number;
  lastActiveAt: number;
  messageCount: number;
  /** Code of the language it is to be answered in. */
  language?: string;
  /** The character that the model plays in it. */
  role?: string;
  /** Ids of the connections that are in it. */
  connections: string[];
}

/** A message that a session remembers: the user's or the answer. */
export interface GatewaySessionMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** What became of a frame that the user wrote: it is sent, or must be confirmed first. */
export type FrameOutcome =
  | { sent: true }
  /** `danger` says in a sentence what the frame may do. */
  | { sent: false; needs: 'confirmation-required'; danger: string };

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
