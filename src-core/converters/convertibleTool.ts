import type { ToolExecutionResult } from '../base/calls.ts';
import type { JsonSchema } from '../base/json.ts';

/** What a framework hands over with a call. */
export interface ConvertedCallOptions {
  /** Cancels the call; the device or server is notified if its protocol can. */
  signal?: AbortSignal | undefined;
  /** The framework's id of the call: it is the result's `requestId`. */
  callId?: string | undefined;
}

/** A tool that is ready to be put into a framework's form. */
export interface ConvertibleTool {
  /** The name that goes to the model (`createWireNames`). */
  wireName: string;
  description: string;
  parameters: JsonSchema;
  /**
   * Runs it through the executor, as a model's call. `input` is what the framework gave: an object, or JSON text. Never
   * rejects: whatever goes wrong is a result of status `error`, with every content part that the tool gave.
   */
  run(input: unknown, options: ConvertedCallOptions): Promise<ToolExecutionResult>;
}
