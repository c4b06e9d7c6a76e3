export type { ChatDecision } from '../../features/chat/decision.ts';
export type {
  ChatAssistantEntry,
  ChatCall,
  ChatEntry,
  ChatFailure,
  ChatStop,
  ChatUserEntry,
  PromptTokens,
} from '../../features/chat/entries.ts';
export type { ChatConfig, ChatOptions, ChatProtocol } from '../../features/chat/session.ts';
export type { ChatStep } from '../../features/chat/step.ts';
export type {
  ChatFilePiece,
  ChatPage,
  ChatPrompt,
  ChatPromptSize,
  ChatStream,
  ChatView,
  ToolTokens,
} from '../../features/chat/views.ts';
export type { ChatMessage, ChatTool } from '../../features/models/chatModel.ts';
