/** The types of the contract. Plain JSON over every transport. */
import type { ChatProtocol, ToolTokens } from './chat.ts';
import type { ChatTool } from './chatMessages.ts';
import type { ToolErrorInfo } from '../base/errors.ts';
import type { MessageParams } from '../base/messages/message.ts';
import type { MethodMetadata, MethodParameter, ToolSource } from '../base/toolTypes.ts';

export type * from './deviceInfo.ts';
export type { AppContent } from './apps.ts';
export type { CaptureInfo, CaptureOrigin, ReplayedCall, ReplayReport } from './captures.ts';
export type { VisionRequest } from './vision.ts';
export type * from './workbench.ts';
export type * from './callRecords.ts';
export type * from './calls.ts';
export type * from './chat.ts';
export type * from './chatMessages.ts';
export type * from './collections.ts';
export type * from './conformance.ts';
export type { EndpointInfo, EndpointTool } from './endpoint.ts';
export type { Frame, FrameBatch, FrameRow, LogName } from './frames.ts';
export type * from './gateway.ts';
export type * from './gatewayTurns.ts';
export type * from './hosts.ts';
export type * from './cluster.ts';
export type * from './servers.ts';
export type * from './serverConsent.ts';
export type * from './serverTools.ts';
export type * from './serverSignIn.ts';
export type { RunOver } from './fields.ts';
export type { ConnectionStep, ConnectionTest } from './models.ts';
export type * from './parser.ts';
export type * from './runs.ts';
export type { Settings } from './settings.ts';
export type * from './modelInfo.ts';
export type * from './types/realtime.ts';
export type { RemovedKind, RemovedThing } from './removed.ts';
export type { ReplyDiagnostic, ReplyDialect, ReplyRegion, ReplyRequest, VcpDialect } from '../base/replyTypes.ts';
export type { ToolCallConfig, ToolExecutionResult } from '../base/calls.ts';
export type { ArgumentIssue, ToolErrorCode, ToolErrorInfo } from '../base/errors.ts';
export type { JsonObject, JsonSchema, JsonValue } from '../base/json.ts';
export type {
  ContentBlock,
  MethodParameter,
  ToolConsumer,
  ToolProgress,
  ToolSource,
  ToolSourceKind,
} from '../base/toolTypes.ts';

/** A method as the panes show it. */
export interface MethodView extends MethodMetadata {
  /** `toolId_methodName`: the name in the Executor and in a one-field VCP request. */
  qualifiedName: string;
  parameters: MethodParameter[];
  /** Required parameters that VCP cannot pass, because of their names. */
  uncarried?: string[];
  /** If a call asks first: the reasons; `danger` has them as text. */
  asksFirst?: {
    /** The danger that its source states; asks whatever the user's list contains. */
    builtIn?: string;
    /** The entries of `Settings.dangerousTools` that name it. */
    patterns: string[];
  };
}

/** A registered tool as the panes show it. */
export interface ToolView {
  id: string;
  name: string;
  description?: string;
  source: ToolSource;
  /** By `toolToggles` and `defaultToolEnabled`. */
  enabled: boolean;
  /** Why it cannot be used right now. */
  error?: string;
  methods: MethodView[];
}

/** What has changed since the previous answer: one part of it, if there is much. */
export interface ToolChanges {
  /** Discard earlier data: this answer and the following ones are complete. */
  whole: boolean;
  /** Added or changed. */
  tools: ToolView[];
  /** Ids of those that are no longer registered. */
  gone: string[];
  /** To be passed as `since` next time. */
  at: string;
  /** There is more: ask again. */
  more: boolean;
}

/** The texts of one method, generated on demand. */
export interface MethodTexts {
  /** The TOOL_DEFINITION block for a model. */
  prompt: string;
  /** A TOOL_REQUEST block that parses back to a call with sample arguments. */
  example: string;
  /** Names of parameters that a VCP block cannot pass. */
  uncarried: string[];
}

/** What a new chat sends about the tools. */
export interface ToolPrompt {
  protocol: ChatProtocol;
  /** In the system prompt; empty if the protocol is native, or no tool is offered. */
  text: string;
  /** Beside the messages, if the protocol is native. */
  tools: ChatTool[];
  /** The total; an estimate, as all tokens here. */
  tokens: number;
  /** What each tool adds, in the order of registration. Tools that are not offered are omitted. */
  byTool: ToolTokens[];
}

/** What would be interrupted if Toolwire closed now, as counts. */
export interface LiveWork {
  /** Approved devices that are connected. Toolwire's own virtual devices do not count. */
  devices: number;
  /** Repeated calls, runs of a collection and replays of a capture. */
  series: number;
  /** Running calls from all origins, including those of a series. */
  calls: number;
}

/** What is wrong with a request's input. */
export interface InputIssue {
  /** Path of the field, dotted. */
  field: string;
  message: string;
}

/** Why a request cannot be fulfilled. `error.message` is the English sentence. */
export interface RequestFailure {
  /** The sentence's code in the catalogues, and its parameters. */
  code: string | undefined;
  params: MessageParams | undefined;
  field: string | undefined;
}

/** The `error.data` of a rejected request. */
export type ApiErrorData = { field: string; issues: InputIssue[] } | RequestFailure | ToolErrorInfo;

/** Whether a file belongs to a collection by its name, which is its mark (docs/collections.md). */
export function isOfCollection(name: string): boolean {
  return name === 'toolwire.json' || name.endsWith('.call.json');
}

export { logLevels } from '../base/logLevels.ts';
export { isWindowCommand, windowCommands, type WindowCommand } from './types/windowCommands.ts';
