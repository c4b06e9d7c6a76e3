/** What a window is told of chats. */
import type { ChatMessage, ChatTool, ChatToolCall } from '../models/chatModel.ts';
import type { ChatEntry, PromptTokens } from './entries.ts';
import type { ChatSession } from './session.ts';

/** A chat without its entries, and how many of its calls wait for the user. */
export interface ChatView extends ChatSession {
  waiting: number;
}

/** A reply as it comes: what was not known yet. The entry itself changes when the reply is whole. */
export interface ChatStream {
  entryId: string;
  /** Text from this UTF-16 offset on. */
  textFrom: number;
  text: string;
  reasoningFrom: number;
  reasoning: string;
  /** Native calls so far, all of them. */
  toolCalls: ChatToolCall[];
}

/** Entries of a chat. */
export interface ChatPage {
  session: ChatView;
  /** In their order; asked for by `afterRevision`, in the order of their last change. */
  entries: ChatEntry[];
  /** What to ask for changes after. */
  revision: number;
  /** There are earlier entries; asked for by `afterRevision`, more changes. */
  more: boolean;
  /** While a reply comes. */
  stream?: ChatStream;
}

/** The next piece of a chat's file; `fileName` is the same in all of them. */
export interface ChatFilePiece {
  fileName: string;
  text: string;
  /** In the last piece: why `importChat` would refuse the file. */
  problem?: string;
}

/** What would be sent next. Tokens are estimates. */
export interface ChatPrompt {
  messages: ChatMessage[];
  tools: ChatTool[];
  tokens: PromptTokens;
}

/** How much would be sent next. */
export interface ChatPromptSize {
  /** Methods that are offered. */
  methods: number;
  /** Estimates. */
  tokens: PromptTokens;
}

/** What one offered tool adds to a prompt. */
export interface ToolTokens {
  toolId: string;
  /** Offered methods. */
  methods: number;
  /** Of their definitions, an estimate; without the instructions that come once. */
  tokens: number;
}
