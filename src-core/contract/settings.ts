import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import { isOrigin } from '../base/isOrigin.ts';
import type { Settings } from './types.ts';
import { dialect, id, json, text, timeoutMs } from './fields.ts';

const uiValue = json(65_536);
/** A qualified tool name, `*` standing for any characters. */
const namePattern = z.string().min(1).max(256);

/** ToolCallConfig as it may be stored and sent: known fields only, `timeout` in ms. */
const toolCallConfigSchema = z.strictObject({
  enabled: z.boolean(),
  mode: z.enum(['auto', 'manual']),
  toolToggles: z.record(id, z.boolean()),
  defaultToolEnabled: z.boolean(),
  maxIterations: z.int().min(1).max(100),
  timeout: timeoutMs,
  requireConfirmation: z.boolean(),
  parallelExecution: z.boolean(),
  protocol: id,
});

/** Settings as they may be stored and sent: known fields only, `ui` at most 64 kB of JSON a value. */
export const settingsSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  locale: z.enum(['system', 'en', 'zh']),
  dialect,
  directoryRoot: z.string().max(4096),
  openToNetwork: z.boolean(),
  devicePort: z.int().min(0).max(65_535).nullable(),
  deviceOrigins: z
    .array(z.string().max(300).refine(isOrigin, 'must be an origin, such as http://localhost:8080'))
    .max(50),
  offeredProtocols: z
    .record(z.string().min(1).max(64), z.literal([1, 2, 3]))
    .refine((map) => Object.keys(map).length <= 1_000, { message: 'must name at most 1,000 devices' }),
  listUserTools: z.boolean(),
  dangerousTools: z.array(namePattern).max(200),
  toolTimeouts: z.record(z.string().min(1).max(1024), timeoutMs).refine((map) => Object.keys(map).length <= 2_000, {
    message: 'must name at most 2,000 tools',
  }),
  captureLimitMb: z.int().min(1).max(10_000),
  historyLimit: z.strictObject({ calls: z.int().min(100).max(1_000_000), mb: z.int().min(1).max(10_000) }),
  vision: z.strictObject({
    answer: z.enum(['model', 'hand', 'canned']),
    cannedText: z.string().max(4_000),
  }),
  toolCallConfig: toolCallConfigSchema,
  ui: z.record(z.string().max(128), uiValue),
});

export const settings = {
  get: oc.output(type<Settings>()),
  /** Only the named fields change; `ui` is merged by key. */
  set: oc.input(settingsSchema.partial()).output(type<Settings>()),
  /** As a file without secrets, and without what the window remembers of itself. */
  export: oc.output(type<{ fileName: string; text: string }>()),
  /** What an exported file would change; `set` makes the change, once the user has seen it. */
  readExport: oc.input(z.strictObject({ text })).output(type<{ change: Partial<Settings> }>()),
};
