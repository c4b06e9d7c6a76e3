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

/** The LLM gateway of the workbench (seed 004): whether it is on, where, with what. */
export interface GatewayState {
  /** The person's switch; kept over restarts. */
  enabled: boolean;
  listening: boolean;
  host: string;
  /** Where it listens, else where it would. */
  port: number;
  /** `ws://…`, one for every address that clients can use, the likeliest for another machine first; empty while it is off. */
  urls: string[];
  /** There are messages in the log, of this run or an earlier one. */
  hasLog: boolean;
  /** Web pages that were refused and are not allowed since, the last to try first. */
  refusedPages: RefusedPage[];
  /** Other machines can reach it: it has no password, so say so. */
  openToNetwork: boolean;
  /** Why it does not listen though it should. */
  error?: string;
  /** Present if another program uses the wanted `port`; `freePort` is one that no program uses. */
  conflict?: { port: number; freePort: number };
  model: GatewayModelView;
  /**
   * The settings in the order of seed 004 §8, ours after them. Address, name and key of the model are among them only where
   * the environment's model answers, or what it says of them does not fit; the key only as `***`.
   */
  settings: ResolvedSetting[];
  testClient?: GatewayTestClient;
  /** Calls that wait for a person's word, the oldest first. */
  questions: CallQuestion[];
}

/** Which model answers, and who said so. */
export interface GatewayModelView {
  /** `settings`: chosen here. `environment`: LLM_BASE_URL, LLM_MODEL. `default`: the workbench's default model. */
  origin: 'settings' | 'environment' | 'default';
  /** Id of the workbench's model; absent for one of the environment. */
  id?: string;
  /** For people. */
  name: string;
  /** Why there is none: it was removed, its address cannot be used. */
  error?: string;
}

/** A client of our own, over a real connection, which says what a person makes it say. */
export interface GatewayTestClient {
  /** Id of its connection. */
  connectionId: string;
  tools: GatewayTestTool[];
}

/** A tool of the test client, and what it answers each call with. */
export interface GatewayTestTool {
  name: string;
  description: string;
  parameters: JsonSchema;
  answer: GatewayTestAnswer;
}

/** `silent` never answers, so that the gateway's time limit is seen. */
export type GatewayTestAnswer =
  { kind: 'result'; value: JsonValue } | { kind: 'error'; message: string } | { kind: 'silent' };

/** What became of the test client's tools. */
export interface GatewayTestTools {
  tools: RegisteredTool[];
}

/**
 * A frame or event of a client's connection, without its text. As `WireRow`, but for `type`, which is the message's type
 * (seed 004 §3), `raw` for text sent by hand, `open`, `close`, `note`, or `invalid`.
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
  /** What it says, in a few words; untrusted. */
  summary: string;
  callId?: string;
  /** Size on the wire. */
  bytes: number;
  /** On a `tool_result`: since its `tool_callback`, ms. */
  durationMs?: number;
  /** It says that something failed. */
  failed?: boolean;
}

/** A row with its text. */
export interface GatewayLogFrame extends GatewayLogRow {
  /** As it went, cut where it is very long. */
  text?: string;
  /** Set where `text` is cut. */
  cut?: boolean;
}

/** A part of the log, oldest first; `firstSeq` tells what the limit has dropped since. */
export interface GatewayLogPage {
  rows: GatewayLogRow[];
  firstSeq: number;
  lastSeq: number;
}
