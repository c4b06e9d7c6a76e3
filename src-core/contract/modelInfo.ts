import type { ChatProtocol } from './chat.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../base/json.ts';
import type { ChatModelErrorCode, ChatUsage, FinishReason } from './chatMessages.ts';

/** A common kind of model server, with its defaults. */
export interface ModelPreset {
  id: 'openai' | 'deepseek' | 'dashscope' | 'ollama' | 'vllm' | 'llamacpp' | 'lmstudio' | 'custom';
  label: string;
  /** Empty if only the user knows it. */
  baseUrl: string;
  /** False: the server needs no key and accepts any. */
  needsKey: boolean;
  /** A name that is likely available; empty if it depends on which models were loaded. */
  modelHint: string;
  /** Set if the server uses another name for the limit of a reply. */
  maxTokensField?: 'max_completion_tokens';
}

/** When a turn is used. All given conditions must be met; texts are matched without regard to case. */
export interface ScriptCondition {
  /** Who wrote the last message. */
  role?: 'user' | 'tool';
  /** Text in the last message. */
  contains?: string;
  /** A regular expression (flags `iu`) in the last message; its groups are `{{1}}` to `{{9}}` in the turn. */
  matches?: string;
  /** A regular expression (flags `iu`) in the first message of the user. */
  asked?: string;
  /** Text in a system message. */
  system?: string;
  /** A tool that is offered natively: its name, or the end of it after `_` or `-`. */
  tool?: string;
  /** The client offers its own tools (a client of the gateway). `{{client_tool}}` is the name of the matching one. */
  clientTool?: true;
}

/** A native call of a turn. */
export interface ScriptToolCall {
  /** The offered tool's name, or the end of it after `_` or `-`. `{{client_tool}}` is the client's own tool. */
  name: string;
  /** An object. A string is sent unchanged, to try invalid JSON. Default: `{}`, or example arguments for `{{client_tool}}`. */
  arguments?: JsonObject | string;
}

/** One reply of the scripted model. */
export interface ScriptTurn {
  /** With it, the turn answers whenever it fits; without it, the turn has its place in the conversation. */
  when?: ScriptCondition;
  text?: string;
  reasoning?: string;
  toolCalls?: ScriptToolCall[];
  finishReason?: FinishReason;
  usage?: ChatUsage;
  /** ms before the reply begins. */
  delayMs?: number;
  /** The step fails like this instead. */
  error?: { code: Exclude<ChatModelErrorCode, 'cancelled' | 'script'>; message: string };
}

/** What the scripted model says: data that the user writes, or that was recorded (docs/models.md). */
export interface ModelScript {
  turns: ScriptTurn[];
  /** After the last turn without `when`: `fail`, the default, or `repeat` from the first one. */
  atEnd?: 'fail' | 'repeat';
}

/** Something that is wrong in a script. */
export interface ScriptIssue {
  /** `turns[2].toolCalls[0].name`; empty for the whole. */
  path: string;
  /** What is wrong and what would be right, in a sentence. */
  message: string;
}

interface ProfileBase {
  /** Assigned by the workbench; `scripted` is the model that always exists. */
  id: string;
  /** For display. */
  label: string;
}

/** A model behind a server. Its key is kept elsewhere. */
export interface ServerModelProfile extends ProfileBase {
  kind: 'openai-compatible';
  preset: ModelPreset['id'];
  /** In a form that `readBaseUrl` accepts. */
  baseUrl: string;
  /** The model's name on the server. */
  model: string;
  /** False asks for each reply in one piece. */
  stream: boolean;
  /** 0 to 2; the server's default if absent. A temperature in the request overrides it. */
  temperature?: number | undefined;
  /** Tokens of a reply; the server's default if absent. */
  maxTokens?: number | undefined;
  /** The protocol of new chats; that of the settings if absent. */
  protocol?: ChatProtocol | undefined;
  /** ms for a whole reply. */
  totalMs: number;
  /** ms between two parts of a streamed reply. */
  chunkMs: number;
}

/** A model that answers from its script. */
export interface ScriptedModelProfile extends ProfileBase {
  kind: 'scripted';
  script: ModelScript;
}

/** A chat model that the user has set up. */
export type ModelProfile = ServerModelProfile | ScriptedModelProfile;

/**
 * How secrets are kept: `system` in the system's own safe storage; `weak` there, but under a password that everybody
 * knows (Linux without a keyring); `file` as they are, in a file that only its owner can read.
 */
export type SecretStorage = 'system' | 'weak' | 'file';

/** A model as the window shows it. It never contains the key, only whether there is one. */
export type ModelInfo = ModelProfile & {
  hasKey: boolean;
  isDefault: boolean;
  /** Replies recorded so far; absent if none are being recorded. */
  recorded?: number;
};

/** Every model that is set up, the scripted one first. */
export interface ModelList {
  models: ModelInfo[];
  /** Where keys go. */
  keyStorage: SecretStorage;
}

/** A model as it is saved; a new one if `id` is absent. A script is any JSON and is validated. */
export type ModelChange =
  | (Omit<ServerModelProfile, 'id'> & { id?: string | undefined })
  | (Omit<ScriptedModelProfile, 'id' | 'script'> & { id?: string | undefined; script: JsonValue });

/** What the script editor needs: the form of a script, and the one a new installation has. */
export interface ScriptFormat {
  schema: JsonSchema;
  defaultScript: string;
}

/** What is wrong with the JSON of a script; empty if it can be saved. */
export interface ScriptCheck {
  issues: ScriptIssue[];
}
