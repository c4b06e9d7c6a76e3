import type { ArgumentIssue, ToolErrorInfo } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { ContentBlock, SoftFailure } from './toolTypes.ts';

/** One of several calls in a single block (docs/protocols/vcp.md#serial-calls). */
export interface SerialToolCall {
  requestId: string;
  /** Names the method; the tool is the block's. */
  command: string;
  args: Record<string, string>;
}

/** A call as a protocol read it from a model's text. */
export interface ParsedToolRequest {
  /** Unique across turns; generated if the model sent none. */
  requestId: string;
  /** `toolId_methodName`, or the tool id alone if `command` names the method (docs/protocols/vcp.md#method-names). */
  toolName: string;
  /** The method's name or its `vcpCommand`, in the two-field form. */
  command?: string;
  /** The block's source text. */
  rawBlock: string;
  /** Arguments as written, always strings; converted by the method's schema when executed. */
  args: Record<string, string>;
  /** Set if the block contains several calls: they run in this order, instead of the request itself. */
  calls?: SerialToolCall[];
}

/** A call whose arguments are JSON values already: by hand from a form, from a gateway, through our MCP server. */
export interface DirectToolCall {
  /** The call's own id is used if this is absent. */
  requestId?: string;
  /** As in `ParsedToolRequest`: `toolId_methodName`, or the tool id with the method in `command`. */
  toolName: string;
  command?: string;
  args: JsonObject;
}

/** The executor's input. With `rawBlock`, the arguments are text and are converted. */
export type ToolCallRequest = ParsedToolRequest | DirectToolCall;

/** The origin of the call. Only the `user` may call methods that are not agent-callable or are toggled off. */
export type ToolCaller = 'user' | 'model' | 'gateway' | 'mcp';

/** How a call ended. If it did not succeed, `error` states why, and `error.code` identifies the cause. */
export type ToolExecutionStatus = 'success' | 'error';

/** The result of one call (extended with the structured answer). */
export interface ToolExecutionResult {
  requestId: string;
  toolName: string;
  status: ToolExecutionStatus;
  /** The value as text when successful, the error's message otherwise. */
  result: string;
  /** ms from sending the call to its end, without the time in which the source waited for the user. */
  durationMs: number;
  /** Set when and only when `status` is `error`. */
  error?: ToolErrorInfo;
  /** The answer in blocks, if the source sends blocks. */
  content?: ContentBlock[];
  /** The answer as data, as JSON text, if the source sent it in addition to its blocks (MCP `structuredContent`). */
  structuredContent?: string;
  /** Mismatches of a successful answer with the method's `outputSchema`; empty if it matches, absent without a schema. */
  outputIssues?: ArgumentIssue[];
  /** Set instead of `outputIssues` if a successful answer was not checked against the `outputSchema`: why, and the remedy. */
  outputUnchecked?: string;
  /** Set if a successful answer reports itself that the tool failed. */
  softFailure?: SoftFailure;
  /** What the source states about the call, for the user only, in English. The window translates it. */
  remark?: string;
}

/** One turn of the cycle. */
export interface ToolCallCycleResult {
  parsedRequests: ParsedToolRequest[];
  executionResults: ToolExecutionResult[];
  hasToolRequests: boolean;
}

/** The nine fields that steer tool calling for an agent. */
export interface ToolCallConfig {
  enabled: boolean;
  mode: 'auto' | 'manual';
  /** By tool id; what is not named here follows `defaultToolEnabled`. */
  toolToggles: Record<string, boolean>;
  defaultToolEnabled: boolean;
  /** Rounds of model and tools before the loop stops. */
  maxIterations: number;
  /** Milliseconds for one method call. */
  timeout: number;
  requireConfirmation: boolean;
  parallelExecution: boolean;
  /** Id of a registered `ToolCallingProtocol`. */
  protocol: string;
}

/** The defaults; `timeout` is 30,000 ms. */
export const defaultToolCallConfig: Readonly<ToolCallConfig> = Object.freeze({
  enabled: true,
  mode: 'auto',
  toolToggles: Object.freeze({}) as Record<string, boolean>,
  defaultToolEnabled: true,
  maxIterations: 8,
  timeout: 30_000,
  requireConfirmation: false,
  parallelExecution: false,
  protocol: 'vcp',
});
