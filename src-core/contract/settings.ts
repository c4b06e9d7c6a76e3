import { oc } from '@orpc/contract';
import * as z from 'zod';

import type { ToolCallConfig } from '../base/calls.ts';
import { isOrigin } from '../base/isOrigin.ts';
import { clusterSettings, proxySettings } from './cluster.ts';
import { dialect, id, json, text, timeoutMs } from './fields.ts';

/** A message of 300 MiB blocks the engine for about 4 s, and its memory reaches 1.2 GiB. */
export const maxMcpMessageMib = 256;

const uiValue = json(65_536);
/** A qualified tool name, `*` standing for any characters. */
const namePattern = z.string().min(1).max(256);

/** ToolCallConfig as it may be stored and sent: known fields only, `timeout` in ms. */
const toolCallConfigSchema: z.ZodType<ToolCallConfig> = z.strictObject({
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

/** What the user has set, and what the window remembers; kept over restarts. Known fields only. */
export const settingsSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  /** How close rows and how small text are; `auto` is comfortable from a width of 1,920 px on. */
  density: z.enum(['auto', 'compact', 'comfortable']),
  locale: z.enum(['system', 'en', 'zh']),
  dialect,
  /** What directory-tree may read; empty until the user has chosen a folder. */
  directoryRoot: z.string().max(4096),
  /** Whether the device listener is reachable from the network, not only this machine. */
  openToNetwork: z.boolean(),
  /** Port of the device listener; `null` is the one the workbench was started with. */
  devicePort: z.int().min(0).max(65_535).nullable(),
  /** Web origins whose pages may connect as devices and ask OTA; every other page is refused. */
  deviceOrigins: z
    .array(z.string().max(300).refine(isOrigin, 'must be an origin, such as http://localhost:8080'))
    .max(50),
  /** The protocol version that OTA offers a device (how it frames its audio), by Device-Id; default 1. Boards store it. */
  offeredProtocols: z
    .record(z.string().min(1).max(64), z.literal([1, 2, 3]))
    .refine((map) => Object.keys(map).length <= 1_000, { message: 'must name at most 1,000 devices' }),
  /** What the user calls devices, by Device-Id; a device's own name for all others. */
  deviceNames: z
    .record(z.string().min(1).max(64), z.string().trim().min(1).max(64))
    .refine((map) => Object.keys(map).length <= 1_000, { message: 'must name at most 1,000 devices' }),
  /** Whether devices are asked for the tools that only users may call (`withUserTools`). */
  listUserTools: z.boolean(),
  /** Qualified names of tools that ask first, in addition to those that always do. `*` matches any characters. */
  dangerousTools: z.array(namePattern).max(200),
  /** ms by qualified tool name; `toolCallConfig.timeout` for all others. */
  toolTimeouts: z.record(z.string().min(1).max(1024), timeoutMs).refine((map) => Object.keys(map).length <= 2_000, {
    message: 'must name at most 2,000 tools',
  }),
  /** MiB that one message of an MCP server may have; a server that is started uses the present value. */
  mcpMessageMib: z.int().min(1).max(maxMcpMessageMib),
  /** MB that the logs of all devices together may take on disk; the oldest frames are dropped first. */
  captureLimitMb: z.int().min(1).max(10_000),
  /** How much of the history of calls is kept: that many calls, in that many MB; the oldest are dropped first. */
  historyLimit: z.strictObject({ calls: z.int().min(100).max(1_000_000), mb: z.int().min(1).max(10_000) }),
  /** Who answers a device's question about a picture. `model` falls back to the canned text if no model is set. */
  vision: z.strictObject({ answer: z.enum(['model', 'hand', 'canned']), cannedText: z.string().max(4_000) }),
  cluster: clusterSettings,
  proxy: proxySettings,
  toolCallConfig: toolCallConfigSchema,
  /** Small facts the window remembers: splitter sizes, chosen views. By key, JSON values of at most 64 kB. */
  ui: z.record(z.string().max(128), uiValue),
});

export type Settings = z.infer<typeof settingsSchema>;

const file = z.strictObject({ fileName: z.string(), text: z.string() });

export const settings = {
  get: oc.output(settingsSchema),
  /** Only the named fields change; `ui` is merged by key. */
  set: oc.input(settingsSchema.partial()).output(settingsSchema),
  /** As a file without secrets, and without what the window remembers of itself. */
  export: oc.output(file),
  /** What an exported file would change; `set` makes the change, once the user has seen it. */
  readExport: oc.input(z.strictObject({ text })).output(z.strictObject({ change: settingsSchema.exactPartial() })),
};
