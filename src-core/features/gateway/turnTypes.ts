import type { ChatExchange, ChatMessage, ChatReply, ChatTool, ChatUsage } from '../models/chatModel.ts';
import type { ToolExecutionResult } from '../../registry/calls.ts';

/** One call of a model in a turn, and what the model was told of it. */
export interface GatewayTurnCall {
  /** The tool's name as the client knows it; the model's own name for a tool that does not exist. */
  name: string;
  /** Whether the client runs it. */
  isClients: boolean;
  /** As the model wrote them. */
  argumentsText: string;
  /** JSON text of the arguments that were sent; absent if the call was not made. */
  argsJson?: string;
  /** Id of the call in history and in `tool_callback`; absent if the call was not made. */
  callId?: string;
  status: ToolExecutionResult['status'] | 'refused' | 'running';
  /** Epoch ms; absent if the call was not made. */
  startedAt?: number;
  /** What the model is told. */
  told?: string;
  /** ms of the tool; absent while it runs and if the call was not made. */
  durationMs?: number;
}

/** One request to the model, and the calls of its reply. */
export interface GatewayTurnStep {
  /** Epoch ms. */
  at: number;
  /** The prompt as it was sent. */
  messages: ChatMessage[];
  /** The tools as they were sent. */
  tools: ChatTool[];
  /** ms to the end of the reply; absent while the model works. */
  durationMs?: number;
  reply?: Pick<ChatReply, 'text' | 'reasoning' | 'finishReason'>;
  usage?: ChatUsage;
  /** What went over the wire; absent for a model without one. */
  exchange?: ChatExchange;
  calls: GatewayTurnCall[];
}

/** One turn: a question of a client, all requests to the model, their calls, and the answer. */
export interface GatewayTurnTrace {
  /** Unique among the turns of all runs. */
  id: string;
  sessionId: string;
  /** The client's question. */
  text: string;
  modelName: string;
  /** Epoch ms. */
  startedAt: number;
  /** Absent while it runs. */
  durationMs?: number;
  /** `running`, `answered`, `disconnected`, or the code of its error. */
  outcome: string;
  /** Of the error. */
  details?: string;
  /** The answer as the client got it. */
  answer?: string;
  steps: GatewayTurnStep[];
}
