import {
  CircleCheck,
  CircleQuestionMark,
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
import { healthPhrase } from '../../../src-core/features/devices/health/healthWords.ts';
import { t } from '../../i18n/index.ts';
import { visibleText } from '../../ui/format/visibleText.ts';

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
  refused: { kind: 'plain', icon: ShieldX },
  'list-incomplete': { kind: 'warn', icon: TriangleAlert },
  'tools-invalid': { kind: 'warn', icon: TriangleAlert },
  'no-mcp': { kind: 'error', icon: CircleX },
  'no-tools': { kind: 'warn', icon: TriangleAlert },
  'mac-shared': { kind: 'warn', icon: TriangleAlert },
  reconnects: { kind: 'warn', icon: TriangleAlert },
  'broken-frames': { kind: 'warn', icon: TriangleAlert },
  'left-during-call': { kind: 'error', icon: CircleX },
  'call-timeout': { kind: 'warn', icon: TimerOff },
  'back-after-crash': { kind: 'warn', icon: TriangleAlert },
};

/** The worst fact known of a device in the window's words, and how they look. */
export function deviceHealth(
  device: Pick<DeviceInfo, 'health' | 'doctor' | 'toolCount' | 'node'>,
): HealthLook & { text: string } {
  const { health, node } = device;
  if (node?.isLost) return { kind: 'warn', icon: Unplug, text: t('cluster.device.lost') };
  return { text: wordsOf(device), ...looks[health] };
}

/** While the engine cannot be reached. */
export const unknownHealth = (): HealthLook & { text: string } => ({
  kind: 'warn',
  icon: CircleQuestionMark,
  text: t('devices.stateUnknown'),
});

/** Errors, warnings and approvals. */
export function needsAttention({ health }: Pick<DeviceInfo, 'health'>): boolean {
  return looks[health].kind === 'error' || looks[health].kind === 'warn';
}

function wordsOf(device: Pick<DeviceInfo, 'health' | 'doctor' | 'toolCount'>): string {
  const phrase = healthPhrase(device);
  if (phrase.of === 'answerCut') return t('devices.answerCut');
  if (phrase.of === 'ofCall') return t(`devices.ofCall.${phrase.key}`, { call: phrase.call });
  return phrase.of === 'stopped' ? t(`devices.stopped.${phrase.key}`) : t(`devices.health.${phrase.key}`);
}

const notConnected = new Set<DeviceInfo['state']>(['announced', 'approval', 'closed']);

/**
 * Whether the device's connection is open. One whose initialize failed may still be connected; of one at another node that is not
 * known.
 */
export function isConnected({ state, leftAt, node }: Pick<DeviceInfo, 'state' | 'leftAt' | 'node'>): boolean {
  return state === 'failed' ? leftAt === undefined && node === undefined : !notConnected.has(state);
}

/** "At lab-2", for a device of another node. */
export function nodeText(device: Pick<DeviceInfo, 'node'> | undefined): string | undefined {
  return device?.node && t('cluster.device.at', { node: visibleText(device.node.name) });
}

/** Whether the device was connected before and is disconnected now. */
export function hasLeft(device: Pick<DeviceInfo, 'state' | 'leftAt' | 'node'>): boolean {
  return device.state === 'closed' || (device.state === 'failed' && !isConnected(device));
}
