import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';

import { proxySettings } from './cluster.ts';

/** The addresses of a listener, or why it has none. */
const listenerInfo = z.strictObject({
  host: z.string(),
  port: z.number(),
  listening: z.boolean(),
  error: z.string().exactOptional(),
  /** Present if another program uses the wanted `port`; `freePort` is one that no program uses. */
  conflict: z.strictObject({ port: z.number(), freePort: z.number() }).exactOptional(),
});
export type ListenerInfo = z.infer<typeof listenerInfo>;

/** Why the data directory cannot be written. */
const storageFault = z.enum(['full', 'read-only', 'damaged', 'failed']);
export type StorageFault = z.infer<typeof storageFault>;

/** What a damaged row belongs to. */
const unreadableKind = z.enum(['history', 'chats', 'captures', 'devices', 'removed', 'settings']);
export type UnreadableKind = z.infer<typeof unreadableKind>;

/** Whether what Toolwire keeps reaches the disk. */
const storageState = z.strictObject({
  /** The data directory. */
  dir: z.string(),
  /** Why nothing is written at the moment; absent if writing works. */
  fault: storageFault.exactOptional(),
  /** The words of SQLite or of the operating system for `fault`. */
  reason: z.string().exactOptional(),
  /** Nothing is written until Toolwire starts again. */
  untilRestart: z.literal(true).exactOptional(),
  /** With `untilRestart`: the disk can be written by now. */
  isSolved: z.literal(true).exactOptional(),
  /** The file to which a damaged database was moved at the start. */
  movedAside: z.string().exactOptional(),
  /** Damaged rows that are hidden, by what they belong to. */
  unreadable: z.partialRecord(unreadableKind, z.number()),
});
export type StorageState = z.infer<typeof storageState>;

/** The version, folders and addresses of the workbench; paths are absolute. */
const workbenchInfo = z.strictObject({
  version: z.string(),
  /** How windows reach the contract; `terminal`: not at all, because the process runs one command. */
  shell: z.enum(['electron', 'browser', 'terminal']),
  /** How a terminal of this machine runs `toolwire`; absent if no terminal started the workbench. */
  command: z.string().exactOptional(),
  platform: z.string(),
  node: z.string(),
  dataDir: z.string(),
  modulesDir: z.string(),
  /** Errors that belong to no request are logged here; see `createLogFile`. The file is missing until the first one. */
  logFile: z.string(),
  /** `otaUrl` is the one to configure on a device: the public one, if there is one. `otaUrls` has one for every address of this machine. */
  device: listenerInfo.extend({
    otaUrl: z.string(),
    otaUrls: z.array(z.string()),
    webSocketUrl: z.string(),
    /** `host` was named at the start (`--device-host`): the setting `openToNetwork` has no effect. */
    isHostFixed: z.boolean().exactOptional(),
    /** The load balancer was named at the start (`--public-url`, `--trusted-proxy`): the setting `proxy` has no effect. */
    fixedProxy: proxySettings.exactOptional(),
  }),
  protocols: z.array(z.string()),
  storage: storageState,
});
export type WorkbenchInfo = z.infer<typeof workbenchInfo>;

/** A part of the workbench that a window keeps a copy of. */
export const workbenchTopic = z.enum([
  'info',
  'settings',
  'tools',
  'devices',
  'captures',
  'vision',
  'calls',
  'history',
  'collections',
  'savedRuns',
  'chats',
  'models',
  'gateway',
  'hosts',
  'servers',
  'endpoints',
  'realtime',
  'openings',
  'removed',
  'cluster',
]);
export type WorkbenchTopic = z.infer<typeof workbenchTopic>;

/**
 * What changed since the last event: fetch it again. Coalesced, at most one every few tens of milliseconds. The first
 * event of a subscription names every topic, so that a new or reconnected window starts the same way.
 */
const workbenchEvent = z.strictObject({ topics: z.array(workbenchTopic) });
export type WorkbenchEvent = z.infer<typeof workbenchEvent>;

/** What the system asked the window to show: a file that was opened, a `toolwire://` link, or an item of the Help menu. Nothing runs by it. */
const opening = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pane'), pane: z.string() }),
  z.strictObject({ kind: z.literal('device'), deviceId: z.string() }),
  z.strictObject({ kind: z.literal('tool'), qualifiedName: z.string() }),
  z.strictObject({ kind: z.literal('capture'), captureId: z.string() }),
  z.strictObject({ kind: z.literal('collection'), folder: z.string() }),
  z.strictObject({ kind: z.literal('help'), topic: z.enum(['tour', 'shortcuts']) }),
]);
export type Opening = z.infer<typeof opening>;

export const workbench = {
  info: oc.output(workbenchInfo),
  /** Runs until the caller stops listening. */
  events: oc.output(eventIterator(workbenchEvent)),
  /** What the desktop shell was asked to show and no window has shown, oldest first; given out once. */
  takeOpenings: oc.output(z.array(opening)),
};
