import { eventIterator, oc, type } from '@orpc/contract';
import * as z from 'zod';

import { chatOptionsSchema } from '../features/chat/optionsSchema.ts';
import { chatProtocols } from '../features/chat/session.ts';
import type { ChatFilePiece, ChatPage, ChatPrompt, ChatPromptSize, ChatStep, ChatView } from './types.ts';
import { decision, id, seq } from './fields.ts';
import type { Nothing } from './fields.ts';

const sessionId = id;
const one = z.strictObject({ sessionId });
const title = z.string().trim().max(200);
/** A message of the user. */
const message = z
  .string()
  .max(1_000_000)
  .refine((value) => value.trim() !== '', 'must say something');

const { temperature, maxTokens } = chatOptionsSchema.shape;
/** Only the named options change, `config` as a whole; null takes `temperature` or `maxTokens` away. */
const optionsChange = z.strictObject({
  modelId: chatOptionsSchema.shape.modelId.exactOptional(),
  protocol: chatOptionsSchema.shape.protocol.exactOptional(),
  mode: chatOptionsSchema.shape.mode.exactOptional(),
  systemPrompt: chatOptionsSchema.shape.systemPrompt.exactOptional(),
  config: chatOptionsSchema.shape.config.exactOptional(),
  temperature: temperature.unwrap().nullable().exactOptional(),
  maxTokens: maxTokens.unwrap().nullable().exactOptional(),
});

/** Chats with a model (docs/chat.md). Turns run in the engine; the topic `chats` reports each change. */
export const chat = {
  /** Changed last first. `waiting` counts the calls that wait for a decision. */
  list: oc.output(type<ChatView[]>()),
  /** Options that are not named come from the settings and the default model. */
  create: oc
    .input(z.strictObject({ title: title.optional(), options: optionsChange.optional() }))
    .output(type<ChatView>()),
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
    .output(type<ChatPage>()),
  /** Answers at once; the message is kept, and its turn runs. */
  send: oc.input(z.strictObject({ sessionId, text: message })).output(type<{ entryId: string }>()),
  /** Asks the model again if the last turn did not finish: after a failure, a limit, a stop. */
  resume: oc.input(one).output(type<Nothing>()),
  /** The user's decision on a call that waits. Arguments that do not fit are rejected, and the call keeps waiting. */
  decide: oc.input(z.strictObject({ sessionId, callId: id, decision })).output(type<Nothing>()),
  /** Ends the current turn at any point; false if there is none. */
  cancel: oc.input(one).output(type<{ cancelled: boolean }>()),
  /** A new chat with everything up to this message of the user, answered by another model or in another protocol. */
  rerun: oc
    .input(
      z.strictObject({ sessionId, entryId: id, modelId: id.optional(), protocol: z.enum(chatProtocols).optional() }),
    )
    .output(type<{ sessionId: string }>()),
  rename: oc.input(z.strictObject({ sessionId, title })).output(type<Nothing>()),
  /** Ends its turn first. */
  remove: oc.input(one).output(type<Nothing>()),
  /** Takes effect with the next request to the model, also within a turn. */
  updateOptions: oc.input(z.strictObject({ sessionId, options: optionsChange })).output(type<ChatView>()),
  /** `method` (`toolId_methodName`) asks again. */
  withdrawApproval: oc.input(z.strictObject({ sessionId, method: z.string().max(2_048) })).output(type<Nothing>()),
  /** The prompt of one step, and what went over the wire; kept for the newest 200 steps. */
  exchange: oc.input(z.strictObject({ id })).output(type<ChatStep>()),
  /** What would be sent next, with this message, using the current tools and options. */
  prompt: oc
    .input(z.strictObject({ sessionId, text: z.string().max(1_000_000).optional() }))
    .output(type<ChatPrompt>()),
  /** How much `prompt` would return. */
  promptSize: oc
    .input(z.strictObject({ sessionId, text: z.string().max(1_000_000).optional() }))
    .output(type<ChatPromptSize>()),
  /** The pieces of a file of JSON (docs/chat.md). */
  exportChat: oc.input(one).output(eventIterator(type<ChatFilePiece>())),
  /**
   * A new chat from the pieces of such a file. Options that could make calls run without asking follow the settings.
   * If the import is aborted, no chat is created.
   */
  importChat: oc.input(eventIterator(z.string().max(1_000_000))).output(type<{ sessionId: string }>()),
};
