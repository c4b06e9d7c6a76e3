/** The turns of the gateway's clients, as the window shows them. */
import * as z from 'zod';

import { chatExchange, chatMessage, chatTool, chatUsage, finishReason } from './chatMessages.ts';

/** One call of a model in a turn, and the answer that the model received. */
const turnCall = z.strictObject({
  /** The tool's name as the client knows it; the model's own name for a tool that does not exist. */
  name: z.string(),
  /** Whether the client runs it. */
  isClients: z.boolean(),
  /** As the model wrote them. */
  argumentsText: z.string(),
  /** JSON text of the arguments that were sent; absent if the call was not made. */
  argsJson: z.string().exactOptional(),
  /** Id of the call in history and in `tool_callback`; absent if the call was not made. */
  callId: z.string().exactOptional(),
  status: z.enum(['success', 'error', 'refused', 'running']),
  /** Epoch ms; absent if the call was not made. */
  startedAt: z.number().exactOptional(),
  /** The answer that the model receives. */
  told: z.string().exactOptional(),
  /** ms of the tool; absent while it runs and if the call was not made. */
  durationMs: z.number().exactOptional(),
});
export type GatewayTurnCall = z.infer<typeof turnCall>;

/** One request to the model, and the calls of its reply. */
const turnStep = z.strictObject({
  /** Epoch ms. */
  at: z.number(),
  /** The prompt as it was sent. */
  messages: z.array(chatMessage),
  /** The tools as they were sent. */
  tools: z.array(chatTool),
  /** ms to the end of the reply; absent while the model works. */
  durationMs: z.number().exactOptional(),
  reply: z.strictObject({ text: z.string(), reasoning: z.string().exactOptional(), finishReason }).exactOptional(),
  usage: chatUsage.exactOptional(),
  /** The exchange with the model's server; absent for a model without a server. */
  exchange: chatExchange.exactOptional(),
  calls: z.array(turnCall),
});
export type GatewayTurnStep = z.infer<typeof turnStep>;

/** One turn: a question of a client, all requests to the model, their calls, and the answer. */
export const turnTrace = z.strictObject({
  /** Unique among the turns of all runs. */
  id: z.string(),
  sessionId: z.string(),
  /** The client's question. */
  text: z.string(),
  modelName: z.string(),
  /** Epoch ms. */
  startedAt: z.number(),
  /** Absent while it runs. */
  durationMs: z.number().exactOptional(),
  /** `running`, `answered`, `disconnected`, or the code of its error. */
  outcome: z.string(),
  /** Of the error. */
  details: z.string().exactOptional(),
  /** The answer as the client got it. */
  answer: z.string().exactOptional(),
  steps: z.array(turnStep),
});
export type GatewayTurnTrace = z.infer<typeof turnTrace>;
