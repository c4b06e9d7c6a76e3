import type { JsonObject } from '../../base/json.ts';
import type { ChatExchange } from '../../contract/chatMessages.ts';
import type { ChatModelErrorCode } from './chatModel.ts';

/** One step of a connection test. */
export interface ConnectionStep {
  /** Whether the server is reachable, accepts the key, has the model, and the model answers. */
  id: 'server' | 'key' | 'model' | 'reply';
  /** `unknown`: the server does not report it; a later step may. `skipped`: an earlier step failed. */
  state: 'ok' | 'failed' | 'unknown' | 'skipped';
  /** The result in a sentence; empty if there is nothing to report. */
  message: string;
  /** For the step `model`, if the server's list does not include it: the most similar names in the list. */
  nearest?: string[];
  /** The failure, which the window words itself. */
  error?: { code: ChatModelErrorCode; details: JsonObject };
}

export interface ConnectionTest {
  /** True if the model answered. */
  ok: boolean;
  steps: ConnectionStep[];
  /** The exchange of the failed step, or of the reply. */
  exchange?: ChatExchange;
}
