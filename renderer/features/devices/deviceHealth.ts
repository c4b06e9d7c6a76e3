import {
  CircleCheck,
  CircleX,
  LoaderCircle,
  Radio,
  ShieldQuestionMark,
  ShieldX,
  TimerOff,
  TriangleAlert,
  Unplug,
} from '@lucide/vue';
import type { Component } from 'vue';

import type { DeviceHealth, DeviceInfo } from '../../../src-core/contract/types.ts';
import { devices } from '../../i18n/en/devices.ts';
import { t } from '../../i18n/index.ts';

/** The colour and the icon of a health. */
interface HealthLook {
  kind: 'ok' | 'pending' | 'plain' | 'error' | 'info' | 'warn';
  icon: Component;
}

const looks: Record<DeviceHealth, HealthLook> = {
  announced: { kind: 'info', icon: Radio },
  hello: { kind: 'pending', icon: LoaderCircle },
  approval: { kind: 'warn', icon: ShieldQuestionMark },
  initializing: { kind: 'pending', icon: LoaderCircle },
  listing: { kind: 'pending', icon: LoaderCircle },
  ready: { kind: 'ok', icon: CircleCheck },
  closed: { kind: 'plain', icon: Unplug },
  failed: { kind: 'error', icon: CircleX },
  refused: { kind: 'error', icon: ShieldX },
  'list-incomplete': { kind: 'warn', icon: TriangleAlert },
  'no-mcp': { kind: 'error', icon: CircleX },
  'no-tools': { kind: 'warn', icon: TriangleAlert },
  'broken-frames': { kind: 'warn', icon: TriangleAlert },
  'left-during-call': { kind: 'error', icon: CircleX },
  'call-timeout': { kind: 'warn', icon: TimerOff },
  'back-after-crash': { kind: 'warn', icon: TriangleAlert },
};

/** The worst fact known of a device in the window's words, and how they look. */
export function deviceHealth(
  device: Pick<DeviceInfo, 'health' | 'doctor' | 'node'>,
): HealthLook & { text: string; dot: boolean } {
  const { health, node } = device;
  if (node?.isLost) return { kind: 'warn', icon: Unplug, text: t('cluster.device.lost'), dot: false };
  return { text: wordsOf(device), ...looks[health], dot: health === 'ready' };
}

/** Errors, warnings and approvals. */
export function needsAttention({ health }: Pick<DeviceInfo, 'health'>): boolean {
  return looks[health].kind === 'error' || looks[health].kind === 'warn';
}

function wordsOf({ health, doctor: { cause, steps, faults } }: Pick<DeviceInfo, 'health' | 'doctor'>): string {
  const call = steps.find(({ id }) => id === 'call')?.fact;
  const ofCall = ofCalls.find((each) => each === health);
  if (ofCall !== undefined && call !== undefined) return t(`devices.ofCall.${ofCall}`, { call });
  if (health === 'broken-frames' && call !== undefined && faults?.every((fault) => fault === 'cut'))
    return t('devices.answerCut');
  const stopped = health === 'failed' ? stops.find((each) => each === cause) : undefined;
  return stopped === undefined ? t(`devices.health.${health}`) : t(`devices.stopped.${stopped}`);
}

/** What a failed device is called by. */
const stops = Object.keys(devices.stopped) as (keyof typeof devices.stopped)[];
/** What names the call that it happened in. */
const ofCalls = ['left-during-call', 'call-timeout', 'back-after-crash'] as const satisfies readonly DeviceHealth[];
