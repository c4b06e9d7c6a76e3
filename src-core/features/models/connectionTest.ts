import type { JsonObject } from '../../base/json.ts';
import type { ChatExchange, ChatModelErrorCode } from './chatModel.ts';

/** One step of a connection test. */
export interface ConnectionStep {
  /** Is the server there; does it take the key; does it have the model; does the model answer. */
  id: 'server' | 'key' | 'model' | 'reply';
  /** `unknown`: the server does not tell; a later step may. `skipped`: an earlier step failed. */
  state: 'ok' | 'failed' | 'unknown' | 'skipped';
  /** What was seen, in a sentence; empty where there is nothing to say. */
  message: string;
  /** Of the step `model`, where the server's list does not have it: the names there that are most like it. */
  nearest?: string[];
  /** Of the failure, for the window's own words. */
  error?: { code: ChatModelErrorCode; details: JsonObject };
}

export interface ConnectionTest {
  /** True where the model answered. */
  ok: boolean;
  steps: ConnectionStep[];
  /** Of the step that failed, or of the reply. */
  exchange?: ChatExchange;
}
