import { createEarlierResults } from '../../engine/earlierResults.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import type { ExecutionOptions } from '../../engine/executionOptions.ts';
import { newCallId } from '../../engine/newCallId.ts';
import type { ToolCallChunk, ToolOutputChunk } from '../../realtime/chunks.ts';
import type { RealtimeToolExecutor } from '../../realtime/stations/toolNode.ts';
import type { Clock } from '../../base/clock.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { CallQuestions } from '../calls/callQuestions.ts';
import type { ToolSpans } from './record/toolSpans.ts';
import type { Moment } from './record/responseSpans.ts';
import type { ToolRef } from './sessionTools.ts';

/** The policy for a model's call: settings, history and the list of running calls. */
export type RealtimeCallPolicy = Pick<
  ExecutionOptions,
  'config' | 'toolTimeouts' | 'dangerousTools' | 'onCallStart' | 'onWentOut' | 'onCallEnd'
>;

export interface ModelCallsOptions {
  toolRegistryManager: ToolRegistryManager;
  policy: () => RealtimeCallPolicy;
  questions: Pick<CallQuestions, 'ask'>;
  clock: Clock;
  onError: ErrorReporter;
  /** The method of a tool's name, if the conversation offers it. */
  methodOf: (name: string) => ToolRef | undefined;
  tools: ToolSpans;
  moment: () => Moment;
  onChange: () => void;
}

/** Bytes of a result: more is cut on the way to the model anyway. */
const maxResultBytes = 256 * 1024;

/** The calls of one conversation's model. They run immediately through the executor, or wait for the user's answer. */
export class ModelCalls {
  readonly #options: ModelCallsOptions;
  /** Ids in the Executor's history, by the model's; undefined for calls that the user answers. */
  readonly #open = new Map<string, string | undefined>();
  /** Results of earlier calls: a call whose text occurs in one asks first. */
  readonly #results = createEarlierResults();

  constructor(options: ModelCallsOptions) {
    this.#options = options;
  }

  /** Calls without an output. */
  get open(): number {
    return this.#open.size;
  }

  /** Takes a message of the user, typed or transcribed. */
  addUserText(text: string): void {
    this.#results.addUserText(text);
  }

  /** Registers a call that the model has requested. */
  begin(call: ToolCallChunk, { waits }: { waits: boolean }): void {
    const executionId = waits ? undefined : newCallId();
    this.#open.set(call.callId, executionId);
    const { tools, moment } = this.#options;
    tools.begin(call, moment(), { waits, executionId });
  }

  /** Runs a call that has begun, with the same policy as any other call. Never rejects. */
  readonly run: RealtimeToolExecutor = async ({ callId, toolName, argumentsJson }, { signal }) => {
    const { toolRegistryManager, policy, clock, onError, methodOf } = this.#options;
    const executionId = this.#open.get(callId) ?? newCallId();
    const method = methodOf(toolName);
    // The executor would find it: more methods are registered than this conversation may use.
    if (method === undefined)
      return { status: 'error', result: `This conversation has no tool "${toolName}". Call one of those it has.` };
    const result = await executeSingleRequest(
      { toolName: method.toolId, command: method.methodName, args: parseArgsJson(argumentsJson) },
      {
        ...policy(),
        toolRegistryManager,
        caller: 'model',
        consumer: 'realtime',
        signal,
        maxResultBytes,
        onError,
        suspicionOf: this.#results.suspicionOf,
        onBeforeExecute: this.#ask(callId),
        after: clock.after,
        newId: () => executionId,
      },
    );
    this.#results.add(result);
    return result;
  };

  /** @throws {RequestError} If no such call waits for an answer. */
  requireWaiting(callId: string): void {
    if (this.#open.has(callId) && this.#open.get(callId) === undefined) return;
    throw new RequestError('This call waits for no answer: it has one, or is run here.', { field: 'callId' });
  }

  /** The output of a call is being sent to the model. */
  end({ callId, output, isError }: ToolOutputChunk): void {
    this.#open.delete(callId);
    const { tools, moment } = this.#options;
    tools.end(callId, moment().at, { output, isError });
  }

  #ask(callId: string): NonNullable<ExecutionOptions['onBeforeExecute']> {
    const { questions, tools, onChange } = this.#options;
    return async (request, pending) => {
      tools.asks(callId, pending.danger ?? 'Calls have to be confirmed before they run.');
      onChange();
      try {
        return await questions.ask(request, pending);
      } finally {
        tools.asks(callId, undefined);
        onChange();
      }
    };
  }
}
