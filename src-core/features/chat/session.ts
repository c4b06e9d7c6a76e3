/** What a chat is, apart from its entries (issue 5 item 3). */

/** How a model calls: in text as VCP, in text as JSON, or natively by function calling. */
export type ChatProtocol = 'vcp' | 'json' | 'native';

export const chatProtocols: readonly ChatProtocol[] = ['vcp', 'json', 'native'];

/** The options in which a chat overrides the settings' ToolCallConfig; absent ones follow the settings. */
export interface ChatConfig {
  /** Off: the model is offered no tools, and its text is not even parsed. */
  enabled?: boolean;
  /** By tool id; tools that are not named here follow the settings. */
  toolToggles?: Record<string, boolean>;
  defaultToolEnabled?: boolean;
  /** Requests to the model in one turn. */
  maxIterations?: number;
  /** How often the same call may be repeated in one turn before it is refused; 2 by default. */
  maxRepeats?: number;
  /** ms for one call. */
  timeout?: number;
  requireConfirmation?: boolean;
  parallelExecution?: boolean;
}

/** The user's options for a chat. A change takes effect with the next request to the model. */
export interface ChatOptions {
  /** Id of a model profile. */
  modelId: string;
  protocol: ChatProtocol;
  /** `manual`: every call waits for a decision. */
  mode: 'auto' | 'manual';
  systemPrompt: string;
  /** 0 to 2; if absent, the model's own. */
  temperature?: number;
  /** Tokens of a reply; if absent, the model's own. */
  maxTokens?: number;
  config: ChatConfig;
}

/** The message that a chat was made from, to run it again with another model or protocol. */
export interface ChatOrigin {
  sessionId: string;
  /** The user's message; it has the same id in both chats. */
  entryId: string;
}

/** A chat without its entries. */
export interface ChatSession {
  id: string;
  /** Empty until there is a first message; then the beginning of it. */
  title: string;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms of the last change of anything in it. */
  updatedAt: number;
  /** Counts every change; `get` returns what changed after one. */
  revision: number;
  entryCount: number;
  /** A turn is under way. */
  running: boolean;
  options: ChatOptions;
  /**
   * Methods (`toolId_methodName`) that the user approved for the rest of this chat. Dangerous ones ask all the same.
   */
  approved: string[];
  origin?: ChatOrigin;
}
