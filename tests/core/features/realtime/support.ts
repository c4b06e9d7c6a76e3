import { onTestFinished } from 'vitest';

import type { RealtimeScript, Frame, RealtimeUpdate } from '../../../../src-core/contract/types.ts';
import type { BinaryVersion } from '../../../../src-core/features/devices/audio/readBinaryFrame.ts';
import type { VirtualProfile } from '../../../../src-core/features/devices/virtual/profile.ts';
import { createVirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import type { VirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import { systemClock } from '../../../../src-core/base/clock.ts';
import type { Clock } from '../../../../src-core/base/clock.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import type { Workbench, WorkbenchOptions } from '../../../../src-core/workbench.ts';
import { openWorkbench, readyDevice, until } from '../../workbench/openWorkbench.ts';

/** Waits of at most this many ms are over at the next turn of the event loop, and time has gone on by as much. */
const shortMs = 1_000;

/** A clock in which sound is heard at once; long limits are as long as ever. */
export function hastyClock(): Clock {
  let now = 0;
  return {
    wall: systemClock.wall,
    now: () => now,
    after(ms, run) {
      if (ms > shortMs) return systemClock.after(ms, run);
      const due = now + ms;
      const immediate = setImmediate(() => {
        now = Math.max(now, due);
        run();
      });
      return () => clearImmediate(immediate);
    },
  };
}

/** A tone loud enough to be speech. */
export function tone(ms: number, sampleRate: number): Int16Array {
  return Int16Array.from({ length: (sampleRate * ms) / 1_000 }, (_, at) =>
    Math.round(9_000 * Math.sin((2 * Math.PI * 300 * at) / sampleRate)),
  );
}

/** A second of it as it crosses the contract. */
export function toneBase64(sampleRate: number): string {
  return Buffer.from(tone(1_000, sampleRate).buffer).toString('base64');
}

/** A workbench whose scripted realtime model says what it is told, at once. */
export async function openRealtime(
  script?: RealtimeScript,
  options: WorkbenchOptions['realtime'] & { dataDir?: string } = {},
): Promise<Workbench> {
  const { dataDir, ...realtime } = options;
  const workbench = await openWorkbench({
    ...(dataDir !== undefined && { dataDir }),
    realtime: { paceMs: 0, playClock: hastyClock(), ...realtime },
  });
  if (script !== undefined) await setScript(workbench, script);
  return workbench;
}

export async function setScript({ services }: Workbench, script: RealtimeScript): Promise<void> {
  await services.realtime.saveProfile({
    kind: 'scripted',
    id: 'scripted',
    label: 'Scripted',
    dialect: 'openai',
    script: JSON.parse(JSON.stringify(script)),
  });
}

/** What is known of a conversation, and the events of its wire. */
export type WholeConversation = RealtimeUpdate & { events: Frame[] };

/** Everything of a conversation, or of an imported one. */
export async function wholeConversation(
  { services: { realtime, frames } }: Workbench,
  name: { id: string } | { captureId: string },
): Promise<WholeConversation> {
  const update = await realtime.updates({ ...name, revision: 0 });
  const log = 'id' in name ? ({ source: 'realtime', connection: name.id } as const) : name;
  const { rows } = await frames.page({ ...log, limit: 20_000 });
  return { ...update, events: rows.filter(({ kind }) => kind === 'text') };
}

/** The same, once `condition` holds. */
export async function updatesOnce(
  workbench: Workbench,
  id: string,
  condition: (update: WholeConversation) => boolean,
): Promise<WholeConversation> {
  const look = (): Promise<WholeConversation> => wholeConversation(workbench, { id });
  await until(workbench, async () => condition(await look()));
  return look();
}

/** So many responses have come to their end. */
export function ended(responses: number): (update: RealtimeUpdate) => boolean {
  return ({ timeline }) =>
    timeline.filter(({ lane, state }) => lane === 'response' && state === 'ok').length >= responses;
}

/** A second of speech of a window, and that it has ended. */
export async function say({ services: { realtime } }: Workbench, id: string, sampleRate = 16_000): Promise<void> {
  await realtime.sendAudio({ id, pcm: toneBase64(sampleRate), sampleRate });
  await realtime.endAudio({ id });
}

/** A virtual device whose sound takes no time, and all that it was told. */
export interface HearingDevice {
  device: VirtualDevice;
  /** The hub's id. */
  id: string;
  messages: (JsonObject & { type: string })[];
  /** Samples that it heard. */
  heard: { samples: number; sampleRate: number };
  /** Resolves once a message of the type, and state, has come `times` times. */
  told: (type: string, state?: string, times?: number) => Promise<void>;
}

export async function addHearingDevice(
  workbench: Workbench,
  profile: VirtualProfile,
  options: { protocolVersion?: BinaryVersion; latencyMs?: number } = {},
): Promise<HearingDevice> {
  const messages: HearingDevice['messages'] = [];
  const heard = { samples: 0, sampleRate: 0 };
  const waiting = new Set<() => void>();
  const device = createVirtualDevice({
    url: workbench.info().device.otaUrl,
    profile: { ...profile, silentFrames: 0 },
    clock: hastyClock(),
    onMessage: (message) => {
      messages.push(message);
      for (const look of waiting) look();
    },
    onSpeech: (pcm, sampleRate) => {
      heard.samples += pcm.length;
      heard.sampleRate = sampleRate;
    },
    ...options,
  });
  onTestFinished(() => device.close());
  await device.connect();
  const { id } = await readyDevice(workbench, device.deviceId);
  return {
    device,
    id,
    messages,
    heard,
    told: (type, state, times = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          const count = messages.filter(
            (each) => each.type === type && (state === undefined || each['state'] === state),
          );
          if (count.length < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
