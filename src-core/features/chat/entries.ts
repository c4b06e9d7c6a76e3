/** The entries of a chat: each message of the user, and each reply of the model with its calls and their results. */
import type { ChatReply, ChatUsage } from '../models/chatModel.ts';
import type { TextRange } from '../../protocols/parse.ts';
import type { ReplyDiagnostic } from '../../protocols/replyTypes.ts';
import type { ToolExecutionResult } from '../../registry/calls.ts';
import type { ToolErrorInfo } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ChatProtocol } from './session.ts';

/** What every entry has. */
interface EntryPlace {
  id: string;
  /** From 1, without gaps. */
  position: number;
  /** The chat's revision when it changed last. */
  revision: number;
  /** Epoch ms. */
  createdAt: number;
}

/** A message of the user. */
export interface ChatUserEntry extends EntryPlace {
  role: 'user';
  text: string;
}

/**
 * The state of a call. `queued` until its turn comes; `waiting` for the user; `done` also if it failed, as the result
 * shows. Only the last three have a result, and they always have one.
 */
export type ChatCallState = 'queued' | 'waiting' | 'approved' | 'running' | 'done' | 'refused' | 'cancelled';

/** One call that the model requested, and its result. */
export interface ChatCall {
  /** Our own, unique in every chat; also the `requestId` of the call in history. */
  id: string;
  /** The model's own, which goes back to it with the result. */
  requestId: string;
  /** As the model wrote it; a native name is replaced by the registered one, if it matches one. */
  toolName: string;
  command?: string;
  /** The method that was meant; absent if the name does not resolve. */
  qualifiedName?: string;
  toolId?: string;
  methodName?: string;
  /** Its position in `raw`; absent for a native call. The calls of one serial block share it. */
  range?: TextRange;
  /** Native: the arguments as the model wrote them. */
  argumentsText?: string;
  /**
   * JSON text of the arguments as the model wrote them: texts in a text protocol, JSON in a native call. `{}` if they
   * could not be read.
   */
  askedArgsJson: string;
  /** JSON text of the arguments to send, or as sent: converted by the method's schema, changed by the user. */
  argsJson: string;
  /** The user changed the arguments. */
  edited?: boolean;
  /** Why it can do harm, in a sentence. Such a call always asks. */
  danger?: string;
  /** Why it would fail as it is: arguments may be changed. Absent once there is a result. */
  problem?: ToolErrorInfo;
  state: ChatCallState;
  /** Who approved it: no approval was needed, the user this time, or the user for the rest of the chat. */
  approvedBy?: 'auto' | 'person' | 'always';
  /** Once it ran: its id in history and in the wire log. */
  callId?: string;
  /** Epoch ms; once it was sent. */
  startedAt?: number;
  result?: ToolExecutionResult;
}

/** Tokens of a request by part, always estimated (tokenx); `usage` has the server's own count of the whole. */
export interface PromptTokens {
  /** The user's system prompt. */
  system: number;
  /** The texts, or definitions, that offer the tools. */
  tools: number;
  /** Earlier messages. */
  history: number;
  /** The messages since the last reply: a message, results. */
  message: number;
  total: number;
}

/**
 * Why a turn ended. `interrupted`: Toolwire closed or was killed. `exported`: it was running when the file was written.
 */
export type ChatStop = 'done' | 'max-iterations' | 'repeated' | 'cancelled' | 'interrupted' | 'exported' | 'error';

/**
 * Why a step failed: a code of `ChatModelError`, `model` (none to ask), or `internal` (an error in Toolwire; see the
 * log).
 */
export interface ChatFailure {
  code: string;
  message: string;
  details?: JsonObject;
}

/** One step of a turn: one request to the model, its reply, its calls. */
export interface ChatAssistantEntry extends EntryPlace {
  role: 'assistant';
  /** From 1, in its turn. */
  step: number;
  state: 'streaming' | 'calling' | 'ended';
  modelId: string;
  modelName: string;
  /** How its calls are written. */
  protocol: ChatProtocol;
  /** The text to show: without calls and without reasoning. */
  text: string;
  /** Exactly what the model wrote, if that is more than `text`. */
  raw?: string;
  /** The text that is sent back to the model in a text protocol; set if there is reasoning in it. */
  withoutReasoning?: string;
  reasoning?: string;
  calls: ChatCall[];
  /** Calls that are too many or too large for one reply; they were not run. */
  skippedCalls?: number;
  /** Texts that looked like a call and were not run, and other remarks for the user. */
  remarks?: ReplyDiagnostic[];
  /** Remarks beyond those that are kept. */
  skippedRemarks?: number;
  finishReason?: ChatReply['finishReason'];
  /** As the server counted. */
  usage?: ChatUsage;
  promptTokens: PromptTokens;
  /** Estimated tokens of the reply. */
  replyTokens: number;
  /** Id of the request and the raw exchange, which are kept for the newest 200 steps; absent if it was imported. */
  stepId?: string;
  /** Set on the last step of a turn. */
  stoppedBecause?: ChatStop;
  failure?: ChatFailure;
}

export type ChatEntry = ChatUserEntry | ChatAssistantEntry;
