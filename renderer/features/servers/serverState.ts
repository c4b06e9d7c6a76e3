import { CircleCheck, CircleStop, CircleX, KeyRound, LoaderCircle, ShieldQuestionMark } from '@lucide/vue';
import type { Component } from 'vue';

import { t } from '../../i18n/index.ts';
import type { ServerRow, ServerState } from '../../../src-core/contract/types.ts';

interface StateLook {
  icon: Component;
  /** A colour class, also a kind of `Tag`. */
  kind: 'ok' | 'pending' | 'warn' | 'error' | 'plain';
}

/** How a state looks. The word is `servers.state.<state>`. */
export const stateLooks: Record<ServerState, StateLook> = {
  ready: { icon: CircleCheck, kind: 'ok' },
  starting: { icon: LoaderCircle, kind: 'pending' },
  asking: { icon: ShieldQuestionMark, kind: 'warn' },
  'sign-in': { icon: KeyRound, kind: 'warn' },
  failing: { icon: CircleX, kind: 'error' },
  stopped: { icon: CircleStop, kind: 'plain' },
};

export type ServerGroup = 'attention' | 'ready' | 'stopped';

/** The groups of the list, in their order. */
export const serverGroups: readonly ServerGroup[] = ['attention', 'ready', 'stopped'];

/** The group that a server is listed in. One that starts is on its way to Ready and stays there. */
export function groupOf({ state }: Pick<ServerRow, 'state'>): ServerGroup {
  if (state === 'ready' || state === 'starting') return 'ready';
  return state === 'stopped' ? 'stopped' : 'attention';
}

/** The state in words, with the step of a start or the countdown of a retry. */
export function wordState(
  { state, step, retryAt }: Pick<ServerRow, 'state' | 'step' | 'retryAt'>,
  now: number,
): string {
  const word = t(`servers.state.${state}`);
  if (state === 'starting' && step !== undefined) {
    return t('servers.stateWith', { state: word, more: t(`servers.step.${step}`) });
  }
  if (state === 'failing' && retryAt !== undefined) {
    const seconds = Math.max(0, Math.ceil((retryAt - now) / 1_000));
    return t('servers.stateWith', { state: word, more: t('servers.retryIn', { seconds }) });
  }
  return word;
}
