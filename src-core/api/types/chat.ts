export type { ChatDecision } from '../../chat/decision.ts';
export type {
  ChatAssistantEntry,
  ChatCall,
  ChatEntry,
  ChatFailure,
  ChatStop,
  ChatUserEntry,
  PromptTokens,
} from '../../chat/entries.ts';
export type { ChatConfig, ChatOptions, ChatProtocol } from '../../chat/session.ts';
export type { ChatStep } from '../../chat/step.ts';
export type {
  ChatFilePiece,
  ChatPage,
  ChatPrompt,
  ChatPromptSize,
  ChatStream,
  ChatView,
  ToolTokens,
} from '../../chat/views.ts';
export type { ChatMessage, ChatTool } from '../../models/chatModel.ts';
