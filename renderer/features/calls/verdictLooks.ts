import {
  CircleAlert,
  CircleCheck,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Hand,
  LoaderCircle,
  ShieldX,
  TimerOff,
  Unplug,
} from '@lucide/vue';
import type { Component } from 'vue';

import type { Verdict } from '../../../src-core/contract/stateWords.ts';

/** `waiting`: for the user. `unknown`: it ran when the window lost its connection. */
export type ShownVerdict = Verdict | 'running' | 'waiting' | 'unknown';

/** The colour and the icon of a call, by how it ended. */
export const verdictLooks: Record<
  ShownVerdict,
  { kind: 'ok' | 'warn' | 'error' | 'plain' | 'pending'; icon: Component }
> = {
  ok: { kind: 'ok', icon: CircleCheck },
  'soft-failure': { kind: 'warn', icon: CircleAlert },
  mismatch: { kind: 'warn', icon: CircleAlert },
  error: { kind: 'error', icon: CircleX },
  refused: { kind: 'error', icon: ShieldX },
  'not-called': { kind: 'error', icon: ShieldX },
  cancelled: { kind: 'plain', icon: CircleSlash },
  'timed-out': { kind: 'error', icon: TimerOff },
  disconnected: { kind: 'error', icon: Unplug },
  interrupted: { kind: 'warn', icon: CircleSlash },
  running: { kind: 'pending', icon: LoaderCircle },
  waiting: { kind: 'warn', icon: Hand },
  unknown: { kind: 'warn', icon: CircleQuestionMark },
};
