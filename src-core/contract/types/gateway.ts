import type { ResolvedSetting } from '../../features/gateway/resolveSettings.ts';
import type { RegisteredTool } from '../../features/gateway/messages.ts';
import type { RefusedPage } from '../../features/gateway/types.ts';
import type { JsonSchema, JsonValue } from '../../base/json.ts';
import type { CallQuestion } from './questions.ts';

export type {
  FrameOutcome,
  GatewayConnectionInfo,
  GatewaySessionInfo,
  GatewaySessionMessage,
  RefusedPage,
} from '../../features/gateway/types.ts';
export type { GatewayTurnCall, GatewayTurnTrace } from '../../features/gateway/turnTypes.ts';
export type { RegisteredTool } from '../../features/gateway/messages.ts';
export type { ResolvedSetting } from '../../features/gateway/resolveSettings.ts';
export type { GatewaySettingKey } from '../../features/gateway/settings.ts';

/** The LLM gateway of the workbench (docs/protocols/gateway.md): whether it is on, its address, its settings. */
export interface GatewayState {
  /** The user's switch; kept over restarts. */
  enabled: boolean;
  listening: boolean;
  host: string;
  /** The port that it listens on, or would listen on. */
  port: number;
  /**
   * `ws://…`, one for every address that clients can use, the likeliest for another machine first; empty if it is off.
   */
  urls: string[];
  /** There are messages in the log, of this run or an earlier one. */
  hasLog: boolean;
  /** Web pages that were refused and have not been allowed since, the most recent first. */
  refusedPages: RefusedPage[];
  /** Other machines can reach it: it has no password, so say so. */
  openToNetwork: boolean;
  /** Why it does not listen though it should. */
  error?: string;
  /** Present if another program uses the wanted `port`; `freePort` is one that no program uses. */
  conflict?: { port: number; freePort: number };
  model: GatewayModelView;
  /**
   * The settings in the order of docs/protocols/gateway.md#settings, ours after them. Address, name and key of the
   * model are included only if the environment's model answers, or if the environment's values are invalid; the key
   * only as `***`.
   */
  settings: ResolvedSetting[];
  testClient?: GatewayTestClient;
  /** Calls that wait for the user's decision, the oldest first. */
  questions: CallQuestion[];
}

/** Which model answers, and what selected it. */
export interface GatewayModelView {
  /** `settings`: chosen here. `environment`: LLM_BASE_URL, LLM_MODEL. `default`: the workbench's default model. */
  origin: 'settings' | 'environment' | 'default';
  /** Id of the workbench's model; absent for one of the environment. */
  id?: string;
  /** The display name. */
  name: string;
  /** Why there is none: it was removed, its address cannot be used. */
  error?: string;
}

/** A test client over a real connection, which sends what the user enters. */
export interface GatewayTestClient {
  /** Id of its connection. */
  connectionId: string;
  tools: GatewayTestTool[];
}

/** A tool of the test client, and its answer to each call. */
export interface GatewayTestTool {
  name: string;
  description: string;
  parameters: JsonSchema;
  answer: GatewayTestAnswer;
}

/** `silent` never answers, so that the gateway's time limit is seen. */
export type GatewayTestAnswer =
  { kind: 'result'; value: JsonValue } | { kind: 'error'; message: string } | { kind: 'silent' };

/** The state of the test client's tools. */
export interface GatewayTestTools {
  tools: RegisteredTool[];
}

/**
 * A frame or event of a client's connection, without its text. As `WireRow`, but for `type`, which is the message's
 * type (docs/protocols/gateway.md#client-messages), `raw` for text sent by hand, `open`, `close`, `note`, or `invalid`.
 */
export interface GatewayLogRow {
  seq: number;
  /** Id of the connection. */
  deviceId: string;
  /** Epoch ms. */
  at: number;
  direction: 'in' | 'out';
  kind: 'open' | 'text' | 'binary' | 'close' | 'note';
  type: string;
  /** A short summary; untrusted. */
  summary: string;
  callId?: string;
  /** Size on the wire. */
  bytes: number;
  /** On a `tool_result`: since its `tool_callback`, ms. */
  durationMs?: number;
  /** It reports a failure. */
  failed?: boolean;
}

/** A row with its text. */
export interface GatewayLogFrame extends GatewayLogRow {
  /** As it was sent, cut if it is very long. */
  text?: string;
  /** Set if `text` is cut. */
  cut?: boolean;
}

/** A part of the log, oldest first; `firstSeq` shows what the limit has dropped since. */
export interface GatewayLogPage {
  rows: GatewayLogRow[];
  firstSeq: number;
  lastSeq: number;
}
