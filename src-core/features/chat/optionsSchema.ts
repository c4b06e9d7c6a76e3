import * as z from 'zod';

import { chatProtocols } from './session.ts';

const id = z.string().min(1).max(512);

/** `ChatConfig` as it may be stored and sent. */
const configSchema = z.strictObject({
  enabled: z.boolean().exactOptional(),
  toolToggles: z
    .record(id, z.boolean())
    .refine((toggles) => Object.keys(toggles).length <= 2_000, 'must name at most 2,000 tools')
    .exactOptional(),
  defaultToolEnabled: z.boolean().exactOptional(),
  maxIterations: z.int().min(1).max(100).exactOptional(),
  maxRepeats: z.int().min(0).max(100).exactOptional(),
  timeout: z.int().min(1).max(3_600_000).exactOptional(),
  requireConfirmation: z.boolean().exactOptional(),
  parallelExecution: z.boolean().exactOptional(),
});

/** `ChatOptions` as they may be stored and sent: known fields only. */
export const chatOptionsSchema = z.strictObject({
  modelId: id,
  protocol: z.enum(chatProtocols),
  mode: z.enum(['auto', 'manual']),
  systemPrompt: z.string().max(200_000),
  temperature: z.number().min(0).max(2).exactOptional(),
  maxTokens: z.int().min(1).max(10_000_000).exactOptional(),
  config: configSchema,
});
