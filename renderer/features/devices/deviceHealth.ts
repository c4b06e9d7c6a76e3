import { CircleX, LoaderCircle, Radio, ShieldQuestionMark, ShieldX, TriangleAlert, Unplug } from '@lucide/vue';
import type { Component } from 'vue';

import type { DeviceHealth, DeviceInfo } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';

/** The colour and the icon of a health. */
interface HealthLook {
  kind: 'ok' | 'pending' | 'plain' | 'error' | 'info' | 'warn';
  icon?: Component;
}

const looks: Record<DeviceHealth, HealthLook> = {
  announced: { kind: 'info', icon: Radio },
  hello: { kind: 'pending', icon: LoaderCircle },
  approval: { kind: 'warn', icon: ShieldQuestionMark },
  initializing: { kind: 'pending', icon: LoaderCircle },
  listing: { kind: 'pending', icon: LoaderCircle },
  ready: { kind: 'ok' },
  closed: { kind: 'plain', icon: Unplug },
  failed: { kind: 'error', icon: CircleX },
  refused: { kind: 'error', icon: ShieldX },
  'list-incomplete': { kind: 'warn', icon: TriangleAlert },
  'no-mcp': { kind: 'error', icon: TriangleAlert },
  'no-tools': { kind: 'warn', icon: TriangleAlert },
  'broken-frames': { kind: 'warn', icon: TriangleAlert },
  'left-during-call': { kind: 'error', icon: TriangleAlert },
};

/** The health of a device in the window's words, and how they look. */
export function deviceHealth({ health }: Pick<DeviceInfo, 'health'>): HealthLook & { text: string; dot: boolean } {
  return { text: t(`devices.health.${health}`), ...looks[health], dot: health === 'ready' };
}
