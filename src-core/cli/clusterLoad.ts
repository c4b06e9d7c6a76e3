import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { describeThrown } from '../base/describeThrown.ts';
import { createVirtualDevice, type VirtualDevice } from '../features/devices/virtual/virtualDevice.ts';
import type { VirtualDeviceOptions } from '../features/devices/virtual/virtualDevice.ts';
import type { GivenFlags } from './command.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';
import { noteLosses } from './noteLosses.ts';
import type { Terminal } from './terminal.ts';
import { untilEnded } from './untilEnded.ts';
import { UsageError } from './usageError.ts';

const maxDevices = 10_000;
/** Devices that connect at the same time. */
const maxConnecting = 64;
/** Reasons of failed connections that are told apart. */
const maxReasons = 10;

const waitNote =
  'toolwire: Devices wait for approval. Approve them in the window, or on the machine of a node with: toolwire approve --all-waiting\n';

/** The flags of a command that connects many devices. */
export const loadFlags = {
  count: { type: 'string', value: 'N', help: `connect N devices, at most ${maxDevices}, to test a server under load` },
  first: { type: 'string', value: 'N', help: 'with --count: number of the first device, for several such commands' },
  'per-second': { type: 'string', value: 'N', help: 'with --count: devices that connect each second; by default 500' },
  json: { type: 'boolean', help: 'with --count: print the summary as JSON' },
} as const;

/** So many devices, and how they connect. */
interface Load {
  count: number;
  first: number;
  perSecond: number;
  json: boolean;
}

/**
 * What the flags say of many devices; undefined without `--count`.
 * @throws UsageError if a flag is not usable.
 */
export function loadOf(flags: GivenFlags): Load | undefined {
  const count = flags.number('count', { min: 1, max: maxDevices });
  const first = flags.number('first', { min: 0, max: 0xff_ffff - maxDevices });
  const perSecond = flags.number('per-second', { min: 1, max: maxDevices });
  const json = flags.isSet('json');
  if (count !== undefined) return { count, first: first ?? 0, perSecond: perSecond ?? 500, json };
  const other = (['first', 'per-second', 'json'] as const).find((flag) => flags.text(flag) ?? flags.isSet(flag));
  if (other !== undefined) throw new UsageError(`--${other} needs --count N.`);
  return undefined;
}

/** The Device-Id of a device of the load, by its number: locally administered, and the same at each start. */
function loadDeviceId(number: number): string {
  const hex = number.toString(16).padStart(6, '0');
  return ['02:74:77', ...(hex.match(/../g) ?? [])].join(':');
}

/** The Client-Id of a simulated device, the same at each start: an approval is for both ids. */
export const clientIdOf = (deviceId: string): string =>
  hash('sha256', deviceId).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/**
 * Connects many devices of one kind, says how it went, and keeps them until the terminal ends, or all are disconnected and do not
 * reconnect. Returns the exit code.
 */
export async function connectMany(
  { count, first, perSecond, json }: Load,
  { profile, url, name, reconnect = false, ...options }: VirtualDeviceOptions,
  terminal: Terminal,
): Promise<number> {
  const begun = performance.now();
  const devices: VirtualDevice[] = [];
  const reasons = new Map<string, number>();
  const states = followStates(reconnect, terminal);
  let failed = 0;

  function fail(error: unknown): void {
    if (terminal.ended.aborted) return;
    failed += 1;
    countReason(reasons, firstLine(describeThrown(error)));
  }

  async function connect(number: number): Promise<void> {
    const deviceId = loadDeviceId(number);
    const device = createVirtualDevice({
      ...options,
      url,
      reconnect,
      // Ten thousand boards that send silence would be a load of their own.
      profile: { ...profile, silentFrames: 0 },
      deviceId,
      clientId: clientIdOf(deviceId),
      name: `${name ?? profile.board} ${number}`,
      ...states.of(deviceId),
    });
    devices.push(device);
    await device.connect().catch(fail);
  }

  let next = 0;
  async function connectInTurn(): Promise<void> {
    while (next < count && !terminal.ended.aborted) {
      const number = next++;
      const early = (number * 1_000) / perSecond - (performance.now() - begun);
      if (early > 0) await wait(early, undefined, { signal: terminal.ended }).catch(() => undefined);
      if (!terminal.ended.aborted) await connect(first + number);
    }
  }

  const ended = AbortSignal.any([terminal.ended, states.allLost]);
  const closed = untilEnded(ended).then(() => Promise.all(devices.map((device) => device.close())));
  await Promise.all(Array.from({ length: Math.min(maxConnecting, count) }, connectInTurn));
  states.endWhenAllAreLost();
  const connected = devices.filter((device) => device.state() === 'connected').length;
  const ms = Math.round(performance.now() - begun);
  const summary = { url, wanted: count, connected, unapproved: states.waiting.size, failed, ms, reasons: [...reasons] };
  if (json) terminal.print(`${JSON.stringify(summary)}\n`);
  else printSummary(summary, terminal);
  if (connected === 0 && !terminal.ended.aborted) return exitCodes.failed;
  await closed;
  states.close();
  return states.allLost.aborted ? exitCodes.failed : exitCodes.ok;
}

/** Follows the states of the devices, and notes losses in the terminal. */
function followStates(reconnect: boolean, terminal: Terminal) {
  /** Devices that Toolwire has not approved. */
  const waiting = new Set<string>();
  const allLost = new AbortController();
  const losses = noteLosses(terminal);
  let isWaitNoted = false;
  let hasTried = false;
  let made = 0;
  let lost = 0;

  return {
    waiting,
    /** Aborts once all devices are disconnected and do not reconnect. */
    allLost: allLost.signal,
    /** All have tried to connect. */
    endWhenAllAreLost: () => void (hasTried = true),
    of(deviceId: string): Pick<VirtualDeviceOptions, 'onMessage' | 'onState'> {
      let wasConnected = false;
      let isAway = false;
      return {
        onMessage({ type, status }) {
          if (type !== 'alert' || status !== 'Toolwire') return;
          if (!isWaitNoted) terminal.note(waitNote);
          isWaitNoted = true;
          waiting.add(deviceId);
        },
        onState(state) {
          const isConnected = state === 'connected';
          if (isConnected) {
            made += 1;
            waiting.delete(deviceId);
            if (isAway) losses.back();
            isAway = false;
          } else if (wasConnected && !terminal.ended.aborted) {
            lost += 1;
            isAway = reconnect;
            if (isAway) losses.lost();
          }
          wasConnected = isConnected;
          if (hasTried && !reconnect && lost === made) allLost.abort();
        },
      };
    },
    close() {
      losses.close();
      if (lost > 0) terminal.note(`toolwire: ${lost} connections were lost meanwhile.\n`);
    },
  };
}

function countReason(reasons: Map<string, number>, text: string): void {
  const reason = reasons.has(text) || reasons.size < maxReasons ? text : 'other reasons';
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

function printSummary(
  summary: {
    url: string;
    wanted: number;
    connected: number;
    unapproved: number;
    ms: number;
    reasons: [string, number][];
  },
  terminal: Terminal,
): void {
  const { url, wanted, connected, unapproved, ms, reasons } = summary;
  for (const [reason, times] of reasons) terminal.note(`toolwire: ${times} ×: ${reason}\n`);
  if (unapproved > 0) terminal.note(`toolwire: ${unapproved} of them are not approved.\n`);
  const seconds = (ms / 1_000).toFixed(1);
  terminal.print(
    `${connected} of ${wanted} devices are connected to ${url} after ${seconds} s. Ctrl+C disconnects them.\n`,
  );
}
