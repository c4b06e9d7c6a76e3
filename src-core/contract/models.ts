import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import { chatProtocol } from './chat.ts';
import { chatExchange, chatModelErrorCode } from './chatMessages.ts';
import type { JsonObject } from '../base/json.ts';
import type { ModelInfo, ModelList, ModelPreset, ScriptCheck, ScriptFormat } from './modelInfo.ts';
import { id, json, nothing } from './fields.ts';

const label = z.string().trim().min(1).max(80);
const limitMs = z.int().min(1_000).max(3_600_000);
/** Characters of a script's JSON. */
const maxScript = 2_000_000;
const script = json(maxScript);

/** A model behind a server as it may be stored and sent. */
export const serverModelSchema = z.strictObject({
  kind: z.literal('openai-compatible'),
  label,
  preset: z.enum(['openai', 'deepseek', 'dashscope', 'ollama', 'vllm', 'llamacpp', 'lmstudio', 'custom']),
  baseUrl: z.string().trim().max(2_000),
  model: z.string().trim().max(256),
  stream: z.boolean(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).max(10_000_000).optional(),
  protocol: chatProtocol.optional(),
  totalMs: limitMs,
  chunkMs: limitMs,
});

/** A scripted model as it may be stored and sent; the script is validated separately, with readable messages. */
export const scriptedModelSchema = z.strictObject({ kind: z.literal('scripted'), label, script });

const optionalId = { id: id.optional() };
const change = z.discriminatedUnion('kind', [
  serverModelSchema.extend(optionalId),
  scriptedModelSchema.extend(optionalId),
]);
const one = z.strictObject({ id });

/** One step of a connection test. */
const connectionStep = z.strictObject({
  /** Whether the server is reachable, accepts the key, has the model, and the model answers. */
  id: z.enum(['server', 'key', 'model', 'reply']),
  /** `unknown`: the server does not report it; a later step may. `skipped`: an earlier step failed. */
  state: z.enum(['ok', 'failed', 'unknown', 'skipped']),
  /** The result in a sentence; empty if there is nothing to report. */
  message: z.string(),
  /** For the step `model`, if the server's list does not include it: the most similar names in the list. */
  nearest: z.array(z.string()).exactOptional(),
  /** The failure, which the window words itself. */
  error: z.strictObject({ code: chatModelErrorCode, details: z.custom<JsonObject>() }).exactOptional(),
});
export type ConnectionStep = z.infer<typeof connectionStep>;

export const connectionTest = z.strictObject({
  /** True if the model answered. */
  ok: z.boolean(),
  steps: z.array(connectionStep),
  /** The exchange of the failed step, or of the reply. */
  exchange: chatExchange.exactOptional(),
});
export type ConnectionTest = z.infer<typeof connectionTest>;

/** Chat models: which there are, their keys, and whether they answer. */
export const models = {
  list: oc.output(type<ModelList>()),
  presets: oc.output(type<ModelPreset[]>()),
  /** Creates a model, or changes one. A key belongs to the host it was set for: it is cleared if another host is set. */
  save: oc.input(change).output(type<ModelInfo>()),
  /** Removes a model and its key. The scripted model cannot be removed: its script is reset. */
  remove: oc.input(one).output(nothing),
  /** A key is never returned. */
  setKey: oc.input(z.strictObject({ id, key: z.string().max(8_192) })).output(nothing),
  clearKey: oc.input(one).output(nothing),
  setDefault: oc.input(one).output(nothing),
  /** Names of the models that the server lists. */
  serverModels: oc.input(one).output(z.strictObject({ models: z.array(z.string()) })),
  /** Asks the server for its list and the model for one word. */
  test: oc.input(one).output(connectionTest),
  scriptFormat: oc.output(type<ScriptFormat>()),
  /** Checks the JSON text of a script without saving it. */
  checkScript: oc.input(z.strictObject({ text: z.string().max(maxScript) })).output(type<ScriptCheck>()),
  /** From now on the model's replies are recorded. */
  startRecording: oc.input(one).output(nothing),
  /** Makes a scripted model of the recorded replies; none if there are none. */
  stopRecording: oc.input(one).output(type<{ id?: string }>()),
};
