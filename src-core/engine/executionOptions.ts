import type { ToolCallConfig, ToolCaller, ToolCallRequest, ToolExecutionResult } from '../base/calls.ts';
import type { Clock } from '../base/clock.ts';
import type { JsonObject, JsonSchema } from '../base/json.ts';
import type { ErrorReporter } from '../base/reportError.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import type { CallHost } from '../registry/types.ts';
import type { ToolConsumer, ToolProgress, ToolReport } from '../base/toolTypes.ts';
import type { WorkAllowance } from '../base/workPool.ts';
import type { EarlierResults } from './earlierResults.ts';

/** A call that waits for the user's decision. */
export interface PendingCall {
  callId: string;
  caller: ToolCaller;
  /** Absent if the name does not resolve. */
  toolId?: string;
  methodName?: string;
  /** Which method it is (`methodIdentity`); empty if the name does not resolve. */
  identity: string;
  /** As the tool would receive them. */
  args: JsonObject;
  /** Why the call can do harm, in a sentence. */
  danger?: string;
  /** Aborts when the call is cancelled: the question is then void. */
  signal: AbortSignal;
}

/**
 * The user's decision. `reason` explains a refusal to the model, and `node` names another node at which the user refused.
 * `args` replace the arguments of an allowed call; they are JSON values and are checked like the original ones.
 */
export type Confirmation = boolean | { allowed: boolean; reason?: string; node?: string; args?: JsonObject };

/** A call as history keeps it. */
export interface ToolCallRecord {
  callId: string;
  requestId: string;
  caller: ToolCaller;
  /** `toolId_methodName` if it resolves, otherwise the name in the request. */
  toolName: string;
  toolId?: string;
  methodName?: string;
  /** The method's schema at the start of the call; absent if the name does not resolve. */
  inputSchema?: JsonSchema;
  /** As sent, or as far as they were read if the call was never sent. */
  args: JsonObject;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Milliseconds it may take from when it goes out. */
  timeoutMs: number;
}

/** A call that ended, in whatever way. */
export interface FinishedToolCall extends ToolCallRecord {
  result: ToolExecutionResult;
}

/** How requests are executed. Hooks may throw: that goes to `onError` and changes nothing. */
export interface ExecutionOptions {
  toolRegistryManager: ToolRegistryManager;
  /** What is left out is as in `defaultToolCallConfig`. */
  config?: Partial<ToolCallConfig> | undefined;
  /** Milliseconds by qualified name, for methods that need another limit than `config.timeout`. */
  toolTimeouts?: Readonly<Record<string, number>> | undefined;
  /** Qualified names, `*` for any characters, that are dangerous beside those whose source says so. */
  dangerousTools?: readonly string[] | undefined;
  /** Why a call must be confirmed besides its tool's own danger, in a sentence; `undefined` if it need not be. */
  suspicionOf?: EarlierResults['suspicionOf'] | undefined;
  /** Sends arguments that violate the schema, for a user who tests a tool. Confirmation is still asked if needed. */
  isUnchecked?: boolean | undefined;
  /** What errors call the tool, if the caller knows it by another name than the qualified one. */
  shownName?: string | undefined;
  /** `user`, a manual call, ignores toggles and `agentCallable`; every other caller is subject to them. */
  caller: ToolCaller;
  /** Refuses a user's call of a method that is withheld, too. */
  onlyAccepted?: boolean | undefined;
  /** On whose behalf a caller other than `user` calls: methods that are not offered to it fail with `not-agent-callable`. */
  consumer?: ToolConsumer | undefined;
  /** Cancels what runs and what still waits. */
  signal?: AbortSignal | undefined;
  /** Asked if `requireConfirmation` is set or the method is dangerous. Without it such calls end as `confirmation-required`. */
  onBeforeExecute?:
    | ((request: ToolCallRequest, pending: PendingCall) => Confirmation | Promise<Confirmation>)
    | undefined;
  /** When a call is handed to its source. Aborting `ending` with a `ToolError` ends that one call and lets the others run. */
  onCallStart?: ((call: ToolCallRecord, ending: AbortController) => void) | undefined;
  /** When the call is sent, at once or in its turn if the source sends one at a time. The timeout counts from here. */
  onWentOut?: ((call: ToolCallRecord) => void) | undefined;
  /** For every request, also for those that were refused and never started. The result waits for it. */
  onCallEnd?: ((call: FinishedToolCall) => unknown) | undefined;
  onProgress?: ((progress: ToolProgress & { callId: string }) => void) | undefined;
  /** Questions of the source during the call, the states of its task, and when it waits for the user. */
  onReport?: ((report: ToolReport, callId: string) => void) | undefined;
  /** Passed on to the tool. */
  host?: CallHost | undefined;
  asTask?: boolean | undefined;
  keepsTask?: boolean | undefined;
  /** A task to follow instead of calling the tool. */
  taskId?: string | undefined;
  onError?: ErrorReporter | undefined;
  /** The timer of a call's limit; the machine's own clock by default. */
  after?: Clock['after'] | undefined;
  /** Ids of calls; `newCallId`'s by default. */
  newId?: (() => string) | undefined;
  /** The total time allowance of these calls' checks in the pool. Default: one turn's allowance for each reply. */
  checkAllowance?: WorkAllowance | undefined;
  /** Bytes of a result's text, in UTF-8; 5 MB by default. Content blocks together may have four times that. */
  maxResultBytes?: number | undefined;
}
