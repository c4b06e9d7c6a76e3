import type {
  CaptureInfo,
  ConnectionTest,
  ModelChange,
  ModelInfo,
  ModelList,
  ModelPreset,
  ReplayReport,
  ScriptCheck,
  ScriptFormat,
} from '../contract/types.ts';
import type { ChatModel } from '../features/models/chatModel.ts';

/** A device's log, an imported capture, or a shared log: exactly one of them. */
export interface CaptureSource {
  deviceId?: string | undefined;
  captureId?: string | undefined;
  /** A realtime conversation. */
  conversationId?: string | undefined;
  /** The log of all clients of the gateway. */
  shared?: 'gateway' | undefined;
}

/** Captures as files, their replay, and virtual devices made of them. Bad input rejects with a `RequestError`. */
export interface CapturesService {
  list(): Promise<CaptureInfo[]>;
  exportPart(
    input: CaptureSource & { after?: number | undefined },
  ): Promise<{ fileName: string; text: string; next?: number }>;
  importPart(input: { name: string; text: string; captureId?: string | undefined }): Promise<{
    captureId: string;
    frames: number;
  }>;
  rename(input: { captureId: string; name: string }): Promise<void>;
  /** It can be restored, unless `forGood` is set. */
  remove(captureId: string, options?: { forGood?: boolean | undefined }): Promise<void>;
  replay(
    input: CaptureSource & { targetId: string; seqs?: number[] | undefined; confirmed?: boolean | undefined },
    signal?: AbortSignal,
  ): Promise<ReplayReport>;
  asVirtual(input: CaptureSource): Promise<{ deviceId: string }>;
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
