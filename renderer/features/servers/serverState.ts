import { CircleCheck, CircleStop, CircleX, FileDiff, KeyRound, LoaderCircle, ShieldQuestionMark } from '@lucide/vue';
import type { Component } from 'vue';

import { t } from '../../i18n/index.ts';
import { shownState, type ShownState } from '../../../src-core/contract/stateWords.ts';
import type { ServerRow } from '../../../src-core/contract/types.ts';

interface StateLook {
  icon: Component;
  /** A colour class, also a kind of `Tag`. */
  kind: 'ok' | 'pending' | 'warn' | 'error' | 'plain';
}

type StateFacts = Pick<ServerRow, 'state' | 'changedTools'>;

/** How a state looks. The word is `servers.state.<state>`. */
export const stateLooks: Record<ShownState, StateLook> = {
  changed: { icon: FileDiff, kind: 'warn' },
  ready: { icon: CircleCheck, kind: 'ok' },
  starting: { icon: LoaderCircle, kind: 'pending' },
  asking: { icon: ShieldQuestionMark, kind: 'warn' },
  'sign-in': { icon: KeyRound, kind: 'warn' },
  failing: { icon: CircleX, kind: 'error' },
  stopped: { icon: CircleStop, kind: 'plain' },
};

export type ServerGroup = 'attention' | 'running' | 'stopped';

/** The groups of the list, in their order. */
export const serverGroups: readonly ServerGroup[] = ['attention', 'running', 'stopped'];

/** The group that a server is listed in. One that starts is among those that run, unless it has failed before. */
export function groupOf(server: StateFacts & Pick<ServerRow, 'failure'>): ServerGroup {
  const state = shownState(server);
  if (state === 'ready' || (state === 'starting' && server.failure === undefined)) return 'running';
  return state === 'stopped' ? 'stopped' : 'attention';
}

/** The state in words, with the step of a start or the countdown of a retry. */
export function wordState(
  { step, retryAt, ...server }: StateFacts & Pick<ServerRow, 'step' | 'retryAt'>,
  now: number,
): string {
  const state = shownState(server);
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
