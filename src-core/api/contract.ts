/**
 * The contract between the window and the engine. Inputs are validated here, before any handler sees them;
 * outputs are typed only. The page imports nothing but the types of this file.
 */
import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type {
  CallRecord,
  CycleReport,
  DeviceInfo,
  MethodTexts,
  ParseReport,
  Settings,
  ToolExecutionResult,
  ToolView,
  WireFrame,
  WorkbenchEvent,
  WorkbenchInfo,
} from './types.ts';
import { eventIterator } from '@orpc/contract';

z.config({ jitless: true });

const id = z.string().min(1).max(512);
const callId = z.string().min(1).max(128);
const dialect = z.enum(['auto', 'standard', 'vcptoolbox', 'vcptoolbox-fuzzy', 'aiohub', 'json']);
/** 20 M code units: far over any reply, and still parsed in a blink. */
const text = z.string().max(20_000_000);
const timeoutMs = z.int().min(1).max(3_600_000);
const origin = z.enum(['executor', 'parser', 'cli']);
const uiValue = z.json().refine((value) => JSON.stringify(value).length <= 65_536, 'must be under 64 kB of JSON');

/** ToolCallConfig as it may be stored and sent (seed 001 §4.1): known fields only, `timeout` in ms. */
export const toolCallConfigSchema = z.strictObject({
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
  toolCallConfig: toolCallConfigSchema,
  ui: z.record(z.string().max(128), uiValue),
});

/**
 * Every procedure between a window, or a terminal, and the engine. What breaks an input schema ends as `BAD_REQUEST`.
 */
export const contract = {
  workbench: {
    info: oc.output(type<WorkbenchInfo>()),
    /** Runs until the caller stops listening. */
    events: oc.output(eventIterator(type<WorkbenchEvent>())),
  },
  tools: {
    list: oc.output(type<ToolView[]>()),
    texts: oc.input(z.strictObject({ toolId: id, methodName: id })).output(type<MethodTexts>()),
    /** The whole prompt, by the saved ToolCallConfig. */
    prompt: oc.input(z.strictObject({ agentId: id.optional() })).output(type<{ prompt: string }>()),
    /** A TOOL_REQUEST block of these arguments. */
    formatRequest: oc
      .input(z.strictObject({ toolName: id, command: id.optional(), argsJson: text }))
      .output(type<{ text: string }>()),
  },
  calls: {
    /** Ends with a result for every call that could be tried, failed ones included. Abort the request to cancel. */
    execute: oc
      .input(
        z.strictObject({
          callId,
          toolName: z.string().max(1024),
          command: z.string().max(1024).optional(),
          argsJson: text,
          timeoutMs: timeoutMs.optional(),
          origin,
          confirmed: z.boolean().optional(),
        }),
      )
      .output(type<ToolExecutionResult>()),
    cancel: oc.input(z.strictObject({ callId })).output(type<{ cancelled: boolean }>()),
    running: oc.output(type<CallRecord[]>()),
    /** Newest first. */
    history: oc
      .input(z.strictObject({ limit: z.int().min(1).max(1000), qualifiedName: z.string().max(1024).optional() }))
      .output(type<CallRecord[]>()),
  },
  parser: {
    parse: oc.input(z.strictObject({ text, dialect: dialect.optional() })).output(type<ParseReport>()),
    /** Parses, runs what was found by the saved ToolCallConfig, and formats the results. Abort to cancel. */
    runCycle: oc.input(z.strictObject({ text, confirmed: z.boolean().optional() })).output(type<CycleReport>()),
  },
  devices: {
    list: oc.output(type<DeviceInfo[]>()),
    /** Starts a device of ours that connects over a real socket. */
    addVirtual: oc
      .input(z.strictObject({ profile: z.string().max(64).optional(), name: z.string().min(1).max(64).optional() }))
      .output(type<{ deviceId: string }>()),
    /** Closes the connection; a virtual device stops. */
    disconnect: oc.input(z.strictObject({ id })).output(type<Record<string, never>>()),
    /** Cuts a virtual device's TCP connection without a goodbye, as a lost power supply does. */
    pullPlug: oc.input(z.strictObject({ id })).output(type<Record<string, never>>()),
    /** Removes a departed device from the list. */
    forget: oc.input(z.strictObject({ id })).output(type<Record<string, never>>()),
    refreshTools: oc.input(z.strictObject({ id })).output(type<{ toolCount: number }>()),
    /** Oldest first. By device, or every frame of one call. */
    frames: oc
      .input(
        z.strictObject({
          id: id.optional(),
          callId: callId.optional(),
          afterSeq: z.int().min(0).optional(),
          limit: z.int().min(1).max(5000),
        }),
      )
      .output(type<WireFrame[]>()),
  },
  settings: {
    get: oc.output(type<Settings>()),
    /** Only the named fields change; `ui` is merged by key. */
    set: oc.input(settingsSchema.partial()).output(type<Settings>()),
  },
};
