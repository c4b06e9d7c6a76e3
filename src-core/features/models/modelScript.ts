import type { JsonObject } from '../../base/json.ts';
import type { ChatModelErrorCode, ChatUsage } from '../../contract/chatMessages.ts';
import type { ChatReply } from './chatModel.ts';

/** When a turn is taken. Every condition that is there has to hold; texts are looked for whatever their case. */
export interface ScriptCondition {
  /** Who wrote the last message. */
  role?: 'user' | 'tool';
  /** Text in the last message. */
  contains?: string;
  /** A regular expression (flags `iu`) in the last message; its groups are `{{1}}` to `{{9}}` in the turn. */
  matches?: string;
  /** Text in a system message. */
  system?: string;
  /** A tool that is offered natively: its name, or the end of it after `_` or `-`. */
  tool?: string;
  /** The client that asks offers tools of its own (a client of the gateway). `{{client_tool}}` names the one that is meant. */
  clientTool?: true;
}

/** A native call of a turn. */
export interface ScriptToolCall {
  /** The offered tool's name, or the end of it after `_` or `-`. `{{client_tool}}` is the client's own tool. */
  name: string;
  /** An object; a text goes out as it is, so that broken JSON can be tried. If absent: `{}`, or examples for `{{client_tool}}`. */
  arguments?: JsonObject | string;
}

/** One reply of the scripted model. */
export interface ScriptTurn {
  /** With it, the turn answers whenever it fits; without it, the turn has its place in the conversation. */
  when?: ScriptCondition;
  text?: string;
  reasoning?: string;
  toolCalls?: ScriptToolCall[];
  finishReason?: ChatReply['finishReason'];
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
