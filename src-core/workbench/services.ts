import type {
  CallDetail,
  CallForm,
  CallPage,
  CallQuestion,
  CallRecord,
  CallReport,
  CallRunInput,
  CallSearch,
  CaptureInfo,
  ChatDecision,
  CollectionRunInput,
  ConnectionFacts,
  ConnectionTest,
  DeviceInfo,
  ExecuteInput,
  MethodTexts,
  ModelChange,
  ModelInfo,
  ModelList,
  ModelPreset,
  ParseReport,
  ParserRunEvent,
  ParserRunInput,
  RecentCall,
  RepeatInput,
  ReplayReport,
  ReplyDialect,
  ResultPiece,
  RunOver,
  RunQuestion,
  RunView,
  ScriptCheck,
  ScriptFormat,
  SendOutcome,
  SeriesFigures,
  ToolChanges,
  ToolErrorInfo,
  ToolExecutionResult,
  ToolPrompt,
  VisionRequest,
  WireFrame,
  WireRow,
  WorkbenchInfo,
} from '../contract/types.ts';
import type { ChatProtocol } from '../features/chat/session.ts';
import type { ChatModel } from '../features/models/chatModel.ts';
import type { CallWord } from '../features/calls/callQuestions.ts';
import type { ChatService } from '../features/chat/service.ts';
import type { CollectionsService } from '../features/collections/service.ts';
import type { GatewayService } from '../features/gateway/service.ts';
import type { OpeningsService } from '../features/openings/service.ts';
import type { RemovedBin } from '../features/trash/removedBin.ts';
import type { RealtimeService } from '../features/realtime/service.ts';
import type { SettingsService } from '../features/settings/service.ts';
import type { TopicHub } from './topicHub.ts';

/** The registered tools and their texts for models. */
export interface ToolsService {
  /** Resolves once every file of the modules folder has been read, so that all of its tools are registered. */
  whenLoaded(): Promise<void>;
  changes(input: { since?: string | undefined }): ToolChanges;
  /** Rejects with `unknown-tool` or `unknown-method`. */
  texts(input: { toolId: string; methodName: string }): MethodTexts;
  /** Reloads the file of a module. Rejects with `unknown-tool`, or with a `RequestError` if the tool has no file. */
  reload(input: { toolId: string }): Promise<void>;
  /** The error for a call of this name, before its arguments are read; none if it finds a method. */
  missing(input: { toolName: string }): { error?: ToolErrorInfo | undefined };
  /** What a new chat would send about the tools, by the saved settings; the default protocol is that of a new chat. */
  prompt(input: { protocol?: ChatProtocol | undefined }): Promise<ToolPrompt>;
}

/** Calls by hand, all running calls, and those that have ended. */
export interface CallsService {
  /** Resolves for every call that could be tried, failed ones included. */
  execute(input: ExecuteInput, signal?: AbortSignal): Promise<ToolExecutionResult>;
  /** Makes one call many times, and yields its figures until it is done. */
  repeat(input: RepeatInput, signal?: AbortSignal): AsyncGenerator<SeriesFigures, void, void>;
  /** Ends a running call of any origin, or a series; it ends as `cancelled`. False if none of that id runs. */
  cancel(callId: string): boolean;
  running(): CallRecord[];
  /** Newest first, with the beginnings of their answers: `get` returns a whole call. */
  history(filter: { limit: number; qualifiedName?: string | undefined }): CallRecord[];
  /** The newest calls of one method, a series as one entry; at most `limit`. */
  recent(filter: { qualifiedName: string; limit: number }): Promise<RecentCall[]>;
  /** Rejects if `signal` aborts. */
  search(query: CallSearch, signal?: AbortSignal): Promise<CallPage>;
  /** @throws {RequestError} If it is no longer in the history. */
  get(callId: string): CallDetail;
  /** The qualified names of all calls kept. */
  names(): string[];
  /** @throws {ToolError} If the arguments are not a JSON object. */
  copyAs(input: { toolName: string; argsJson: string; form: CallForm }): { text: string };
}

/** The stream of a run: its events for a window, and at the end that it is over. */
export type RunStream<Event> = AsyncGenerator<Event | RunOver, void, void>;

/** Starts a run, or reads one by its id. Both reject with a `RequestError`. If a reader leaves, the run continues. */
export interface RunsOf<Input, Event> {
  start(input: Input, signal?: AbortSignal): RunStream<Event>;
  follow(id: string, signal?: AbortSignal): RunStream<Event>;
}

/** The runs that windows started. The engine owns them: reloading or closing a window does not end them. */
export interface RunsService {
  readonly calls: RunsOf<CallRunInput, ResultPiece | RunQuestion>;
  readonly series: RunsOf<RepeatInput, SeriesFigures | RunQuestion>;
  readonly parser: RunsOf<ParserRunInput, ParserRunEvent>;
  readonly collections: RunsOf<CollectionRunInput, CallReport>;
  /** Those with these ids that are running, and of each kind the last eight that ended in the last ten minutes. */
  list(ids: readonly string[]): RunView[];
  /** Calls of runs that ask while no window shows their run. Each is refused after ten minutes. */
  questions(): CallQuestion[];
  /**
   * The user's decision on any call of a run that asks.
   * @throws {RequestError | ToolError} The call then keeps asking.
   */
  decide(word: CallWord): void;
  /** The user edits the arguments of one of `questions`: it waits ten minutes from now. */
  attend(callId: string): void;
  /** Ends a run, or one running call of any origin. False if none of that id runs. */
  cancel(id: string): boolean;
  /** Cancels all runs, and resolves when the last of them has ended. */
  close(): Promise<void>;
}

/** Reads a model's text, and runs its calls. Reading and running reject if reading takes too much time or memory. */
export interface ParserService {
  parse(input: { text: string; dialect?: ReplyDialect | undefined }, signal?: AbortSignal): Promise<ParseReport>;
  /**
   * Runs all calls of a text, or only the one with the index `call` among the report's. Calls that ask wait for
   * `decide`. Rejects with a `RequestError` if tool calling is off.
   */
  run(input: { text: string; call?: number | undefined }, signal?: AbortSignal): AsyncGenerator<ParserRunEvent>;
  /** @throws RequestError if the call does not wait; ToolError `invalid-arguments` if its new arguments do not fit. */
  decide(input: { callId: string; decision: ChatDecision }): void;
}

/** Which log: a device's (the hub's id), an imported capture's, or all devices' if neither is set. */
export interface LogSource {
  id?: string | undefined;
  captureId?: string | undefined;
}

/**
 * Devices by the hub's id, and virtual devices. Bad input throws or rejects with a `RequestError`; a refusal by the
 * device or the network rejects with an error that says so.
 */
export interface DevicesService {
  list(): DeviceInfo[];
  addVirtual(input: {
    profile?: string | undefined;
    name?: string | undefined;
    faults?: string[] | undefined;
    latencyMs?: number | undefined;
  }): Promise<{ deviceId: string }>;
  disconnect(id: string): Promise<void>;
  pullPlug(id: string): void;
  /** Makes a virtual device listen. */
  press(id: string): Promise<void>;
  forget(id: string): void;
  refreshTools(id: string, signal?: AbortSignal): Promise<{ toolCount: number }>;
  approve(input: { id: string; clientId: string }): void;
  refuse(id: string): void;
  send(input: {
    id: string;
    text?: string | undefined;
    base64?: string | undefined;
    confirmed?: boolean | undefined;
  }): SendOutcome;
  connectionFacts(): ConnectionFacts;
  listen(input: { port: number }): Promise<void>;
}

/** The logs of devices' connections, kept over restarts, and captures imported from them. */
export interface LogsService {
  log(filter: LogSource & { afterSeq?: number | undefined; limit: number }): {
    rows: WireRow[];
    firstSeq: number;
    lastSeq: number;
  };
  frame(input: LogSource & { seq: number }): WireFrame;
  /** What went over the wire for a call, oldest first; the newest 2,000 frames if there are more. */
  callFrames(callId: string): WireFrame[];
  /** Yields to other work in between; rejects if `signal` aborts. */
  search(input: LogSource & { text: string }, signal?: AbortSignal): Promise<{ seqs: number[] }>;
  clear(id: string): void;
}

/** A device's log, an imported capture, or a shared log: exactly one of them. */
export interface CaptureSource {
  deviceId?: string | undefined;
  captureId?: string | undefined;
  /** A realtime conversation. */
  conversationId?: string | undefined;
  /** The log of all clients of the gateway. */
  shared?: 'gateway' | undefined;
}

/** Captures as files, their replay, and virtual devices made of them. Bad input throws a `RequestError`. */
export interface CapturesService {
  list(): CaptureInfo[];
  exportPart(input: CaptureSource & { after?: number | undefined }): { fileName: string; text: string; next?: number };
  importPart(input: { name: string; text: string; captureId?: string | undefined }): {
    captureId: string;
    frames: number;
  };
  rename(input: { captureId: string; name: string }): void;
  /** It can be restored, unless `forGood` is set. */
  remove(captureId: string, options?: { forGood?: boolean | undefined }): void;
  replay(
    input: CaptureSource & { targetId: string; seqs?: number[] | undefined; confirmed?: boolean | undefined },
    signal?: AbortSignal,
  ): Promise<ReplayReport>;
  asVirtual(input: CaptureSource): Promise<{ deviceId: string }>;
}

/** Pictures of devices and their questions. */
export interface VisionService {
  list(): VisionRequest[];
  picture(id: string): { mediaType: string; base64: string };
  answer(input: { id: string; text: string }): void;
  snapshot(input: { deviceId: string; quality?: number | undefined }, signal?: AbortSignal): Promise<{ id: string }>;
  remove(id: string): void;
}

/**
 * Chat models by id. Invalid requests throw or reject with a `RequestError`; a key is never returned, and is sent only
 * to the model's own server.
 */
export interface ModelsService {
  /** A model to ask; by default the default one. Throws a `RequestError` if none has that id. */
  modelOf(id?: string): ChatModel;
  defaultId(): string;
  list(): Promise<ModelList>;
  presets(): ModelPreset[];
  save(change: ModelChange): Promise<ModelInfo>;
  remove(id: string): Promise<void>;
  setKey(input: { id: string; key: string }): Promise<void>;
  clearKey(id: string): Promise<void>;
  setDefault(id: string): void;
  serverModels(id: string, signal?: AbortSignal): Promise<{ models: string[] }>;
  test(id: string, signal?: AbortSignal): Promise<ConnectionTest>;
  scriptFormat(): ScriptFormat;
  checkScript(text: string): ScriptCheck;
  startRecording(id: string): void;
  stopRecording(id: string): Promise<{ id?: string }>;
}

/** The dependencies of the contract's handlers. Built by `createWorkbench`. */
export interface Services {
  info(): WorkbenchInfo;
  topics: TopicHub;
  settings: SettingsService;
  tools: ToolsService;
  calls: CallsService;
  parser: ParserService;
  devices: DevicesService;
  logs: LogsService;
  captures: CapturesService;
  vision: VisionService;
  models: ModelsService;
  chat: ChatService;
  collections: CollectionsService;
  gateway: GatewayService;
  realtime: RealtimeService;
  openings: OpeningsService;
  removed: RemovedBin;
  runs: RunsService;
}
