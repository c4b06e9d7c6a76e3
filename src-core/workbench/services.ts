import type {
  CallRecord,
  CycleReport,
  DeviceInfo,
  ExecuteInput,
  MethodTexts,
  ParseReport,
  ToolExecutionResult,
  ToolView,
  ReplyDialect,
  WireFrame,
  WorkbenchInfo,
} from '../api/types.ts';
import type { SettingsService } from './settingsService.ts';
import type { TopicHub } from './topicHub.ts';

/** The registered tools and the texts of them that a model sees. `argsJson` that is no object throws `invalid-arguments`. */
export interface ToolsService {
  list(): ToolView[];
  /** Rejects with `unknown-tool` or `unknown-method`. */
  texts(input: { toolId: string; methodName: string }): MethodTexts;
  prompt(input: { agentId?: string | undefined }): { prompt: string };
  formatRequest(input: { toolName: string; command?: string | undefined; argsJson: string }): { text: string };
}

/** Calls by hand, every call that runs, and those that have ended. */
export interface CallsService {
  /** Resolves for every call that could be tried, failed ones included. */
  execute(input: ExecuteInput, signal?: AbortSignal): Promise<ToolExecutionResult>;
  /** Ends a call that runs, whoever made it; it ends as `cancelled`. False where none of that id runs. */
  cancel(callId: string): boolean;
  running(): CallRecord[];
  /** Newest first. */
  history(filter: { limit: number; qualifiedName?: string | undefined }): CallRecord[];
}

/** Reads a model's text, and runs what it asks for; neither rejects for what the text holds. */
export interface ParserService {
  parse(input: { text: string; dialect?: ReplyDialect | undefined }): ParseReport;
  runCycle(input: { text: string; confirmed?: boolean | undefined }, signal?: AbortSignal): Promise<CycleReport>;
}

/**
 * Devices by the hub's id, and virtual ones of our own. Bad input throws or rejects with a `RequestError`; what the device
 * or the network refuses rejects with an error that says so.
 */
export interface DevicesService {
  list(): DeviceInfo[];
  addVirtual(input: { profile?: string | undefined; name?: string | undefined }): Promise<{ deviceId: string }>;
  disconnect(id: string): Promise<void>;
  pullPlug(id: string): void;
  forget(id: string): void;
  refreshTools(id: string, signal?: AbortSignal): Promise<{ toolCount: number }>;
  frames(filter: {
    id?: string | undefined;
    callId?: string | undefined;
    afterSeq?: number | undefined;
    limit: number;
  }): WireFrame[];
}

/** What the contract's handlers stand on. Built by `createWorkbench`. */
export interface Services {
  info(): WorkbenchInfo;
  topics: TopicHub;
  settings: SettingsService;
  tools: ToolsService;
  calls: CallsService;
  parser: ParserService;
  devices: DevicesService;
}
