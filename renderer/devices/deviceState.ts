import { CircleX, LoaderCircle, Radio, ShieldQuestionMark, Unplug } from '@lucide/vue';
import type { Component } from 'vue';

import type { DeviceState } from '../../src-core/api/types.ts';

/** The colour of a device's state, and its icon; a live one has the dot. */
export const deviceStateLook: Record<
  DeviceState,
  { kind: 'ok' | 'pending' | 'plain' | 'error' | 'info' | 'warn'; icon?: Component }
> = {
  announced: { kind: 'info', icon: Radio },
  hello: { kind: 'pending', icon: LoaderCircle },
  approval: { kind: 'warn', icon: ShieldQuestionMark },
  initializing: { kind: 'pending', icon: LoaderCircle },
  listing: { kind: 'pending', icon: LoaderCircle },
  ready: { kind: 'ok' },
  closed: { kind: 'plain', icon: Unplug },
  failed: { kind: 'error', icon: CircleX },
};
