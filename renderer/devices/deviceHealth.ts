import { TriangleAlert } from '@lucide/vue';
import type { Component } from 'vue';

import type { DeviceInfo, DoctorCause } from '../../src-core/api/types.ts';
import { t } from '../i18n/index.ts';
import { adviceKind } from './adviceKind.ts';
import { deviceStateLook } from './deviceState.ts';

/** How a device stands, in a word. */
export interface DeviceHealth {
  text: string;
  kind: 'ok' | 'pending' | 'plain' | 'error' | 'info' | 'warn';
  icon?: Component;
  dot: boolean;
}

/** What a connected device, or one that left, has to say that its state does not. */
const worse = ['list-incomplete', 'no-mcp', 'no-tools', 'broken-frames', 'left-during-call'] as const;
type WorseCause = (typeof worse)[number];
const isWorse = (cause: DoctorCause | undefined): cause is WorseCause => worse.some((each) => each === cause);

/**
 * How a device stands, by the worst fact that is known of it. Devices, Discovery and the Executor show the same, so that none
 * of them calls a device live that another calls incomplete.
 */
export function deviceHealth({ state, doctor: { cause } }: Pick<DeviceInfo, 'state' | 'doctor'>): DeviceHealth {
  if ((state === 'ready' || state === 'closed') && isWorse(cause)) {
    const kind = adviceKind[cause] === 'error' ? 'error' : 'warn';
    return { text: t(`devices.health.${cause}`), kind, icon: TriangleAlert, dot: false };
  }
  return { text: t(`devices.state.${state}`), ...deviceStateLook[state], dot: state === 'ready' };
}
