import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { ConnectionTest, ModelInfo, ModelList, ModelPreset, ScriptCheck, ScriptFormat } from './types.ts';
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

/** Chat models: which there are, their keys, and whether they answer. */
export const models = {
  list: oc.output(type<ModelList>()),
  presets: oc.output(type<ModelPreset[]>()),
  /**
   * Creates a model, or changes one. A key belongs to the host it was set for: it is cleared if another host is set.
   */
  save: oc.input(change).output(type<ModelInfo>()),
  /** Removes a model and its key. The scripted model cannot be removed: its script is reset. */
  remove: oc.input(one).output(nothing),
  /** A key is never returned. */
  setKey: oc.input(z.strictObject({ id, key: z.string().max(8_192) })).output(nothing),
  clearKey: oc.input(one).output(nothing),
  setDefault: oc.input(one).output(nothing),
  /** Names of the models that the server lists. */
  serverModels: oc.input(one).output(type<{ models: string[] }>()),
  /** Asks the server for its list and the model for one word. */
  test: oc.input(one).output(type<ConnectionTest>()),
  scriptFormat: oc.output(type<ScriptFormat>()),
  /** Checks the JSON text of a script without saving it. */
  checkScript: oc.input(z.strictObject({ text: z.string().max(maxScript) })).output(type<ScriptCheck>()),
  /** From now on the model's replies are recorded. */
  startRecording: oc.input(one).output(nothing),
  /** Makes a scripted model of the recorded replies; none if there are none. */
  stopRecording: oc.input(one).output(type<{ id?: string }>()),
};
