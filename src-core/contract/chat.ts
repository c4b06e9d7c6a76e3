import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';

import type { JsonObject } from '../base/json.ts';
import type { ToolErrorInfo } from '../base/errors.ts';
import type { ReplyDiagnostic } from '../base/replyTypes.ts';
import type { ToolExecutionResult } from '../base/calls.ts';
import { chatExchange, chatMessage, chatTool, chatUsage, finishReason, toolCall } from './chatMessages.ts';
import { decision, id, nothing, seq } from './fields.ts';

const count = z.int().min(0);
/** Epoch ms. */
const time = z.number();

/** How a model calls: in text as VCP, in text as JSON, or natively by function calling. */
export const chatProtocol = z.enum(['vcp', 'json', 'native']);
export type ChatProtocol = z.infer<typeof chatProtocol>;

/** The user's decision on a call that waits. */
export type ChatDecision = z.infer<typeof decision>;

/** The options in which a chat overrides the settings' ToolCallConfig; absent ones follow the settings. */
const chatConfig = z.strictObject({
  /** Off: the model is offered no tools, and its text is not even parsed. */
  enabled: z.boolean().exactOptional(),
  /** By tool id; tools that are not named here follow the settings. */
  toolToggles: z
    .record(id, z.boolean())
    .refine((toggles) => Object.keys(toggles).length <= 2_000, 'must name at most 2,000 tools')
    .exactOptional(),
  defaultToolEnabled: z.boolean().exactOptional(),
  /** Requests to the model in one turn. */
  maxIterations: z.int().min(1).max(100).exactOptional(),
  /** How often the same call may be repeated in one turn before it is refused; 2 by default. */
  maxRepeats: z.int().min(0).max(100).exactOptional(),
  /** ms for one call. */
  timeout: z.int().min(1).max(3_600_000).exactOptional(),
  requireConfirmation: z.boolean().exactOptional(),
  parallelExecution: z.boolean().exactOptional(),
});
export type ChatConfig = z.infer<typeof chatConfig>;

/** The user's options for a chat. A change takes effect with the next request to the model. */
export const chatOptions = z.strictObject({
  /** Id of a model profile. */
  modelId: id,
  protocol: chatProtocol,
  /** `manual`: every call waits for a decision. */
  mode: z.enum(['auto', 'manual']),
  systemPrompt: z.string().max(200_000),
  /** If absent, the model's own. */
  temperature: z.number().min(0).max(2).exactOptional(),
  /** Tokens of a reply; if absent, the model's own. */
  maxTokens: z.int().min(1).max(10_000_000).exactOptional(),
  config: chatConfig,
});
export type ChatOptions = z.infer<typeof chatOptions>;

const { temperature, maxTokens, ...namedOptions } = chatOptions.shape;
/** Only the named options change, `config` as a whole; null removes `temperature` or `maxTokens`. */
const optionsChange = z.strictObject({
  modelId: namedOptions.modelId.exactOptional(),
  protocol: namedOptions.protocol.exactOptional(),
  mode: namedOptions.mode.exactOptional(),
  systemPrompt: namedOptions.systemPrompt.exactOptional(),
  config: namedOptions.config.exactOptional(),
  temperature: temperature.unwrap().nullable().exactOptional(),
  maxTokens: maxTokens.unwrap().nullable().exactOptional(),
});
export type ChatOptionsChange = z.infer<typeof optionsChange>;

/** A chat without its entries. */
const session = z.strictObject({
  id: z.string(),
  /** Empty until there is a first message; then the beginning of it. */
  title: z.string(),
  createdAt: time,
  /** Epoch ms of the last change of anything in it. */
  updatedAt: time,
  /** Counts every change; `get` returns what changed after one. */
  revision: count,
  entryCount: count,
  /** A turn is under way. */
  running: z.boolean(),
  options: chatOptions,
  /** Methods (`toolId_methodName`) that the user approved for the rest of this chat. Dangerous ones ask all the same. */
  approved: z.array(z.string()),
  /** The message that a chat was made from, to run it again with another model or protocol. */
  origin: z
    .strictObject({
      sessionId: z.string(),
      /** The user's message; it has the same id in both chats. */
      entryId: z.string(),
    })
    .exactOptional(),
});
export type ChatSession = z.infer<typeof session>;

/** A chat without its entries, and how many of its calls wait for the user. */
const chatView = session.extend({ waiting: count });
export type ChatView = z.infer<typeof chatView>;

/** What every entry has. */
const entryPlace = {
  id: z.string(),
  /** From 1, without gaps. */
  position: count,
  /** The chat's revision when it changed last. */
  revision: count,
  createdAt: time,
};

/** A message of the user. */
const userEntry = z.strictObject({ ...entryPlace, role: z.literal('user'), text: z.string() });
export type ChatUserEntry = z.infer<typeof userEntry>;

/** One call that the model requested, and its result. */
export const chatCall = z.strictObject({
  /** Our own, unique in every chat; also the `requestId` of the call in history. */
  id: z.string(),
  /** The model's own, which goes back to it with the result. */
  requestId: z.string(),
  /** As the model wrote it; a native name is replaced by the registered one, if it matches one. */
  toolName: z.string(),
  command: z.string().exactOptional(),
  /** The method that was meant; absent if the name does not resolve. */
  qualifiedName: z.string().exactOptional(),
  toolId: z.string().exactOptional(),
  methodName: z.string().exactOptional(),
  /** Its position in `raw`; absent for a native call. The calls of one serial block share it. */
  range: z.strictObject({ start: z.number(), end: z.number() }).exactOptional(),
  /** Native: the arguments as the model wrote them. */
  argumentsText: z.string().exactOptional(),
  /**
   * JSON text of the arguments as the model wrote them: texts in a text protocol, JSON in a native call. `{}` if they
   * could not be read.
   */
  askedArgsJson: z.string(),
  /** JSON text of the arguments to send, or as sent: converted by the method's schema, changed by the user. */
  argsJson: z.string(),
  /** The user changed the arguments. */
  edited: z.boolean().exactOptional(),
  /** Why it can do harm, in a sentence. Such a call always asks. */
  danger: z.string().exactOptional(),
  /** Why it would fail as it is: arguments may be changed. Absent once there is a result. */
  problem: z.custom<ToolErrorInfo>().exactOptional(),
  /**
   * `queued` until its turn comes; `waiting` for the user; `done` also if it failed, as the result shows. Only the last
   * three have a result, and they always have one.
   */
  state: z.enum(['queued', 'waiting', 'approved', 'running', 'done', 'refused', 'cancelled']),
  /** Who approved it: no approval was needed, the user this time, or the user for the rest of the chat. */
  approvedBy: z.enum(['auto', 'person', 'always']).exactOptional(),
  /** Once it ran: its id in history and in the wire log. */
  callId: z.string().exactOptional(),
  /** Epoch ms; once it was sent. */
  startedAt: time.exactOptional(),
  result: z.custom<ToolExecutionResult>().exactOptional(),
});
export type ChatCall = z.infer<typeof chatCall>;

/** Tokens of a request by part, always estimated (tokenx); `usage` has the server's own count of the whole. */
const promptTokens = z.strictObject({
  /** The user's system prompt. */
  system: z.number(),
  /** The texts, or definitions, that offer the tools. */
  tools: z.number(),
  /** Earlier messages. */
  history: z.number(),
  /** The messages since the last reply: a message, results. */
  message: z.number(),
  total: z.number(),
});
export type PromptTokens = z.infer<typeof promptTokens>;

/** Why a turn ended. `interrupted`: Toolwire closed or was killed. `exported`: it was running when the file was written. */
export const chatStop = z.enum(['done', 'max-iterations', 'repeated', 'cancelled', 'interrupted', 'exported', 'error']);
export type ChatStop = z.infer<typeof chatStop>;

/** Why a step failed: a code of `ChatModelError`, `model` (none to ask), or `internal` (an error in Toolwire; see the log). */
const failure = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.custom<JsonObject>().exactOptional(),
});
export type ChatFailure = z.infer<typeof failure>;

/** One step of a turn: one request to the model, its reply, its calls. */
const assistantEntry = z.strictObject({
  ...entryPlace,
  role: z.literal('assistant'),
  /** From 1, in its turn. */
  step: count,
  state: z.enum(['streaming', 'calling', 'ended']),
  modelId: z.string(),
  modelName: z.string(),
  /** How its calls are written. */
  protocol: chatProtocol,
  /** The text to show: without calls and without reasoning. */
  text: z.string(),
  /** Exactly what the model wrote, if that is more than `text`. */
  raw: z.string().exactOptional(),
  /** The text that is sent back to the model in a text protocol; set if there is reasoning in it. */
  withoutReasoning: z.string().exactOptional(),
  reasoning: z.string().exactOptional(),
  calls: z.array(chatCall),
  /** Calls that are too many or too large for one reply; they were not run. */
  skippedCalls: z.number().exactOptional(),
  /** Texts that looked like a call and were not run, and other remarks for the user. */
  remarks: z.array(z.custom<ReplyDiagnostic>()).exactOptional(),
  /** Remarks beyond those that are kept. */
  skippedRemarks: z.number().exactOptional(),
  finishReason: finishReason.exactOptional(),
  /** As the server counted. */
  usage: chatUsage.exactOptional(),
  promptTokens,
  /** Estimated tokens of the reply. */
  replyTokens: z.number(),
  /** Id of the request and the raw exchange, which are kept for the newest 200 steps; absent if it was imported. */
  stepId: z.string().exactOptional(),
  /** Set on the last step of a turn. */
  stoppedBecause: chatStop.exactOptional(),
  failure: failure.exactOptional(),
});
export type ChatAssistantEntry = z.infer<typeof assistantEntry>;

const chatEntry = z.discriminatedUnion('role', [userEntry, assistantEntry]);
export type ChatEntry = z.infer<typeof chatEntry>;

/** The new part of a reply that is being streamed. The entry itself changes when the reply is complete. */
const chatStream = z.strictObject({
  entryId: z.string(),
  /** Text from this UTF-16 offset on. */
  textFrom: count,
  text: z.string(),
  reasoningFrom: count,
  reasoning: z.string(),
  /** Native calls so far, all of them. */
  toolCalls: z.array(toolCall),
});
export type ChatStream = z.infer<typeof chatStream>;

/** Entries of a chat. */
const chatPage = z.strictObject({
  session: chatView,
  /** In their order; with `afterRevision`, in the order of their last change. */
  entries: z.array(chatEntry),
  /** What to ask for changes after. */
  revision: count,
  /** There are earlier entries; with `afterRevision`, more changes. */
  more: z.boolean(),
  /** While a reply comes. */
  stream: chatStream.exactOptional(),
});
export type ChatPage = z.infer<typeof chatPage>;

/** The request to a model in one step, and its raw exchange; fetched on demand. */
const chatStep = z.strictObject({
  id: z.string(),
  sessionId: z.string(),
  entryId: z.string(),
  /** Epoch ms of the request. */
  at: time,
  /** The prompt as it was composed, in the order in which it was sent. */
  messages: z.array(chatMessage),
  /** The tools that were offered natively. */
  tools: z.array(chatTool),
  /** Absent if nothing was sent over a wire (a scripted model). */
  exchange: chatExchange.exactOptional(),
});
export type ChatStep = z.infer<typeof chatStep>;

/** What would be sent next. Tokens are estimates. */
const chatPrompt = z.strictObject({
  messages: z.array(chatMessage),
  tools: z.array(chatTool),
  tokens: promptTokens,
});
export type ChatPrompt = z.infer<typeof chatPrompt>;

/** How much would be sent next. */
const chatPromptSize = z.strictObject({
  /** Methods that are offered. */
  methods: count,
  /** Estimates. */
  tokens: promptTokens,
});
export type ChatPromptSize = z.infer<typeof chatPromptSize>;

/** The next piece of a chat's file; `fileName` is the same in all of them. */
const filePiece = z.strictObject({
  fileName: z.string(),
  text: z.string(),
  /** In the last piece: why `importChat` would refuse the file. */
  problem: z.string().exactOptional(),
});
export type ChatFilePiece = z.infer<typeof filePiece>;

/** What one offered tool adds to a prompt. */
const toolTokens = z.strictObject({
  toolId: z.string(),
  /** Offered methods. */
  methods: count,
  /** Estimate for their definitions, without the instructions that are sent once. */
  tokens: z.number(),
});
export type ToolTokens = z.infer<typeof toolTokens>;

const sessionId = id;
const one = z.strictObject({ sessionId });
const title = z.string().trim().max(200);
/** A message of the user. */
const message = z
  .string()
  .max(1_000_000)
  .refine((value) => value.trim() !== '', 'must say something');

/** Chats with a model (docs/chat.md). Turns run in the engine; the topic `chats` reports each change. */
export const chat = {
  /** Changed last first. `waiting` counts the calls that wait for a decision. */
  list: oc.output(z.array(chatView)),
  /** Options that are absent have the values of the settings and the default model. */
  create: oc.input(z.strictObject({ title: title.optional(), options: optionsChange.optional() })).output(chatView),
  /**
   * The last entries, or those before a position. With `afterRevision` the entries that changed since, oldest change
   * first: ask again with the answer's `revision` while `more` is set. `known` is the part of a streaming reply that is
   * not sent again.
   */
  get: oc
    .input(
      z.strictObject({
        sessionId,
        afterRevision: seq.optional(),
        before: z.int().min(1).optional(),
        limit: z.int().min(1).max(500),
        known: z.strictObject({ entryId: id, text: seq, reasoning: seq }).optional(),
      }),
    )
    .output(chatPage),
  /** Returns immediately: the message is stored, and its turn runs. */
  send: oc.input(z.strictObject({ sessionId, text: message })).output(z.strictObject({ entryId: z.string() })),
  /** Asks the model again if the last turn did not finish: after a failure, a limit, a stop. */
  resume: oc.input(one).output(nothing),
  /** The user's decision on a call that waits. Arguments that do not fit are rejected, and the call keeps waiting. */
  decide: oc.input(z.strictObject({ sessionId, callId: id, decision })).output(nothing),
  /** Ends the current turn at any point; false if there is none. */
  cancel: oc.input(one).output(z.strictObject({ cancelled: z.boolean() })),
  /** A new chat with everything up to this message of the user, answered by another model or in another protocol. */
  rerun: oc
    .input(z.strictObject({ sessionId, entryId: id, modelId: id.optional(), protocol: chatProtocol.optional() }))
    .output(z.strictObject({ sessionId: z.string() })),
  rename: oc.input(z.strictObject({ sessionId, title })).output(nothing),
  /** Ends its turn first. */
  remove: oc.input(one).output(nothing),
  /** Takes effect with the next request to the model, also within a turn. */
  updateOptions: oc.input(z.strictObject({ sessionId, options: optionsChange })).output(chatView),
  /** `method` (`toolId_methodName`) asks again. */
  withdrawApproval: oc.input(z.strictObject({ sessionId, method: z.string().max(2_048) })).output(nothing),
  /** The prompt of one step, and its exchange with the server; kept for the newest 200 steps. */
  exchange: oc.input(z.strictObject({ id })).output(chatStep),
  /** What would be sent next, with this message, using the current tools and options. */
  prompt: oc.input(z.strictObject({ sessionId, text: z.string().max(1_000_000).optional() })).output(chatPrompt),
  /** How much `prompt` would return. */
  promptSize: oc
    .input(z.strictObject({ sessionId, text: z.string().max(1_000_000).optional() }))
    .output(chatPromptSize),
  /** The pieces of a file of JSON (docs/chat.md). */
  exportChat: oc.input(one).output(eventIterator(filePiece)),
  /**
   * A new chat from the pieces of such a file. Options that could make calls run without asking follow the settings.
   * If the import is aborted, no chat is created.
   */
  importChat: oc.input(eventIterator(z.string().max(1_000_000))).output(z.strictObject({ sessionId: z.string() })),
};
