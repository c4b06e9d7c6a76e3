import type { ToolDiscoveryService } from '../../engine/discovery.ts';
import type { EarlierResults } from '../../engine/earlierResults.ts';
import type { ExecutionOptions } from '../../engine/executionOptions.ts';
import type { ChatModel } from '../models/chatModel.ts';
import type { ProtocolRegistry } from '../../protocols/registry.ts';
import type { ToolCallConfig } from '../../base/calls.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ChatBook } from './chatBook.ts';

/** What the settings say of every call. */
export interface CallPolicy {
  config: ToolCallConfig;
  toolTimeouts: Readonly<Record<string, number>>;
  dangerousTools: readonly string[];
}

/** What chats run in. */
export interface ChatEnvironment {
  book: ChatBook;
  /** By chat: the results of the last turn, which hold what was computed of them. */
  earlierResults: Map<string, EarlierResults>;
  toolRegistryManager: ToolRegistryManager;
  discovery: ToolDiscoveryService;
  protocols: ProtocolRegistry;
  /** The model of a profile; throws an error that says what to do where there is none. */
  modelOf: (modelId: string) => ChatModel;
  policy: () => CallPolicy;
  /** Hooks that follow the calls of a model, for history and the list of running calls. */
  follow: () => Pick<ExecutionOptions, 'onCallStart' | 'onWentOut' | 'onCallEnd'>;
  /** More of a reply has come, or a turn has ended. */
  onChange: () => void;
  newId: () => string;
  /** Epoch ms. */
  now: () => number;
  onError: ErrorReporter;
}
