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

export interface ToolsService {
  list(): ToolView[];
  /** Rejects with `unknown-tool` or `unknown-method`. */
  texts(input: { toolId: string; methodName: string }): MethodTexts;
  prompt(input: { agentId?: string | undefined }): { prompt: string };
  formatRequest(input: { toolName: string; command?: string | undefined; argsJson: string }): { text: string };
}

export interface CallsService {
  /** Resolves for every call that could be tried, failed ones included. */
  execute(input: ExecuteInput, signal?: AbortSignal): Promise<ToolExecutionResult>;
  cancel(callId: string): boolean;
  running(): CallRecord[];
  /** Newest first. */
  history(filter: { limit: number; qualifiedName?: string | undefined }): CallRecord[];
}

export interface ParserService {
  parse(input: { text: string; dialect?: ReplyDialect | undefined }): ParseReport;
  runCycle(input: { text: string; confirmed?: boolean | undefined }, signal?: AbortSignal): Promise<CycleReport>;
}

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
