/** The types of the contract. Plain JSON over every transport. */
import type { ReplyReading } from '../base/replyTypes.ts';
import type { ChatCall, ChatProtocol, ToolTokens } from './chat.ts';
import type { ChatTool } from './chatMessages.ts';
import type { ToolExecutionResult } from '../base/calls.ts';
import type { ToolErrorInfo } from '../base/errors.ts';
import type { MessageParams } from '../base/messages/message.ts';
import type { StorageState } from '../store/storageState.ts';
import type { MethodMetadata, MethodParameter, ToolProgress, ToolSource } from '../base/toolTypes.ts';

export type {
  ConnectionFacts,
  DeviceInfo,
  DeviceState,
  DoctorCause,
  DoctorReport,
  DoctorStep,
  SendOutcome,
} from '../features/devices/types.ts';
export type { FrameFault } from '../features/devices/health/frameFault.ts';
export type { DeviceHealth } from '../features/devices/health/deviceHealth.ts';
export type { CaptureInfo, ReplayedCall, ReplayReport } from '../features/captures/types.ts';
export type { VisionRequest } from '../features/vision/types.ts';
export type { StorageState } from '../store/storageState.ts';
export type * from './chat.ts';
export type * from './chatMessages.ts';
export type * from './collections.ts';
export type { Frame, FrameBatch, FrameRow, LogName } from './frames.ts';
export type * from './gateway.ts';
export type * from './gatewayTurns.ts';
export type { Settings } from './settings.ts';
export type * from './types/history.ts';
export type * from './types/models.ts';
export type * from './types/openings.ts';
export type * from './types/questions.ts';
export type * from './types/realtime.ts';
export type * from './types/removed.ts';
export type * from './types/resultPieces.ts';
export type * from './types/runs.ts';
export type * from './types/series.ts';
export type {
  ReplyDiagnostic,
  ReplyDiagnosticCode,
  ReplyDialect,
  ReplyRegion,
  ReplyRequest,
  VcpDialect,
} from '../base/replyTypes.ts';
export type { ToolCallConfig, ToolExecutionResult } from '../base/calls.ts';
export type { ArgumentIssue, ToolErrorCode, ToolErrorInfo } from '../base/errors.ts';
export type { JsonObject, JsonSchema, JsonValue } from '../base/json.ts';
export type { ContentBlock, MethodParameter, ToolProgress, ToolSource, ToolSourceKind } from '../base/toolTypes.ts';

/** A method as the panes show it. */
export interface MethodView extends MethodMetadata {
  /** `toolId_methodName`: what the Executor takes and a one-field VCP request carries. */
  qualifiedName: string;
  parameters: MethodParameter[];
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
  /** Discard what was known: this and the following answers are everything. */
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

/** The texts of one method, made on demand. */
export interface MethodTexts {
  /** The TOOL_DEFINITION block for a model. */
  prompt: string;
  /** A TOOL_REQUEST block that parses back to a call with sample arguments. */
  example: string;
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
  /** What each tool adds, in the order of registration. Tools that are not offered are left out. */
  byTool: ToolTokens[];
}

/** One call, past or running. */
export interface CallRecord {
  callId: string;
  toolId: string;
  methodName: string;
  qualifiedName: string;
  source: ToolSource;
  /** Who asked: the user in the Executor, a reply in the Parser, the terminal. */
  origin: CallOrigin;
  /** Absent for a call under the rules of its origin. */
  rules?: CallRules;
  /** JSON text of the arguments as they go out, every number as it was written. */
  argsJson: string;
  /** Epoch ms. */
  startedAt: number;
  /** Epoch ms; absent while it is queued at a device. The timeout counts from here. */
  wentOutAt?: number;
  /** ms allowed. */
  timeoutMs: number;
  /** How far a running call has come, if its tool reports it. */
  progress?: ToolProgress;
  /** Absent while the call runs. */
  result?: ToolExecutionResult;
}

/** Who made a call: a pane of the window, the terminal, or an external client. */
export type CallOrigin = 'executor' | 'parser' | 'cli' | 'model' | 'gateway' | 'realtime';

/**
 * The rules of a call by hand that are not the user's own. `model`: those of a model's call, with `agentCallable`, the
 * settings of tool calling, and arguments that are text before they are converted. `unchecked`: the arguments are not
 * checked against the method's schema.
 */
export type CallRules = 'model' | 'unchecked';

/** How an argument of a parsed call would be sent. */
export interface ArgumentPreview {
  name: string;
  /** As written in the text; absent if the schema asks for it and the call has none. */
  raw?: string;
  /** JSON text. */
  valueJson?: string;
  /** Type the schema asks for. */
  type: string;
  /** `default-not-sent`: left out, and the tool says what it uses then. */
  verdict: 'ok' | 'converted' | 'invalid' | 'unknown' | 'missing' | 'default-not-sent';
  message?: string;
}

/** Which registered method a name in the text means. */
export type ResolutionView =
  | {
      ok: true;
      toolId: string;
      methodName: string;
      qualifiedName: string;
      toolName: string;
      source: ToolSource;
      agentCallable: boolean;
    }
  | { ok: false; error: ToolErrorInfo };

/** One call that would run, resolved against what is registered right now. */
export interface ParsedCallView {
  /** Index into `requests`. */
  request: number;
  requestId: string;
  toolName: string;
  command?: string;
  resolution: ResolutionView;
  arguments: ArgumentPreview[];
  /** JSON text of the converted arguments, ready for the Executor; every number as it was written. */
  argsJson: string;
}

/** What a text holds: its parts as they were read, and its calls as they would be sent. */
export interface ParseReport extends ReplyReading {
  /** One per call; a serial block yields several. */
  calls: ParsedCallView[];
}

/**
 * An event of a run of a text's calls: a call has changed, by its index among the report's; at the end the feedback.
 */
export type ParserRunEvent =
  | { kind: 'call'; index: number; call: ChatCall }
  | {
      kind: 'end';
      /** What a chat would send to the model. */
      feedback: string;
      /** Calls beyond those that one run makes. */
      skippedCalls: number;
    };

/** One call by hand. `timeoutMs` defaults to that of the settings. */
export interface ExecuteInput {
  /** Made by the caller, so that it can follow the call in events and in the wire log. */
  callId: string;
  /** `toolId_methodName`, or a tool id with `command`. */
  toolName: string;
  command?: string | undefined;
  /** JSON text of the arguments object, exactly as it is to be sent. */
  argsJson: string;
  timeoutMs?: number | undefined;
  origin: CallOrigin;
  /** The user has confirmed a dangerous call, or a call in a mode in which every call asks. */
  confirmed?: boolean | undefined;
  /**
   * The user was asked about this method and said yes: `details.asked` of the error `confirmation-required`. If the
   * name now means another method, or the method has changed, the call ends as `not-authorized`.
   */
  approved?: string | undefined;
  /** The user was asked and said no: the call ends as `not-authorized` before its tool is called, for the history. */
  refused?: { reason?: string | undefined } | undefined;
  rules?: CallRules | undefined;
  /** Secrets among the arguments, by name: what is kept of the call has `{{$secret:NAME}}` in their place. */
  secrets?: Record<string, string> | undefined;
  /**
   * The folder of the open collection that resolves `{{$secret:NAME}}`, if the secrets are not among the arguments yet.
   */
  collection?: string | undefined;
}

/** The addresses of a listener, or why it has none. */
export interface ListenerInfo {
  host: string;
  port: number;
  listening: boolean;
  error?: string;
  /** Present if another program uses the wanted `port`; `freePort` is one that no program uses. */
  conflict?: { port: number; freePort: number };
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

/** What the workbench is and where it is reached; paths are absolute. */
export interface WorkbenchInfo {
  version: string;
  /** What carries the contract to a window; `terminal`: nothing, it runs for one command. */
  shell: 'electron' | 'browser' | 'terminal';
  /** How a terminal of this machine runs `toolwire`; absent if no terminal started the workbench. */
  command?: string;
  platform: string;
  node: string;
  dataDir: string;
  modulesDir: string;
  /** Errors that belong to no request are logged here; see `createLogFile`. The file is missing until the first one. */
  logFile: string;
  /** `otaUrl` is the one to configure on a device; `otaUrls` has one for every address of this machine. */
  device: ListenerInfo & {
    otaUrl: string;
    otaUrls: string[];
    webSocketUrl: string;
    /** `host` was named at the start (`--device-host`): the setting `openToNetwork` has no effect. */
    isHostFixed?: boolean;
  };
  protocols: string[];
  storage: StorageState;
}

/**
 * What changed since the last event: fetch it again. Coalesced, at most one every few tens of milliseconds. The first
 * event of a subscription names every topic, so that a new or reconnected window starts the same way.
 */
export interface WorkbenchEvent {
  topics: WorkbenchTopic[];
}

/** A part of the workbench that a window keeps a copy of. */
export type WorkbenchTopic =
  | 'tools'
  | 'devices'
  | 'captures'
  | 'vision'
  | 'calls'
  | 'history'
  | 'collections'
  | 'savedRuns'
  | 'chats'
  | 'models'
  | 'gateway'
  | 'realtime'
  | 'settings'
  | 'openings'
  | 'removed'
  | 'info';

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

/** What a rejected request carries in `error.data`. */
export type ApiErrorData = { field: string; issues: InputIssue[] } | RequestFailure | ToolErrorInfo;

export { isOfCollection } from './types/isOfCollection.ts';
export { isWindowCommand, windowCommands, type WindowCommand } from './types/windowCommands.ts';
