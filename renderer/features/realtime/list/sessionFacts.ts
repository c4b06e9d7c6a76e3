import { CircleCheck, CircleStop, LoaderCircle, TriangleAlert } from '@lucide/vue';

import type { RealtimeSessionInfo } from '../../../../src-core/contract/types.ts';
import { formatDuration } from '../../../ui/format/formatDuration.ts';
import { formatWhen } from '../../../ui/format/formatTime.ts';
import { t } from '../../../i18n/index.ts';
import { profileName } from '../profileName.ts';

/** How a conversation's state looks, and its word. */
export function stateOf({ state }: Pick<RealtimeSessionInfo, 'state'>) {
  const looks = {
    connecting: { kind: 'pending', icon: LoaderCircle },
    connected: { kind: 'ok', icon: CircleCheck },
    reconnecting: { kind: 'warn', icon: TriangleAlert },
    closed: { kind: 'plain', icon: CircleStop },
  } as const;
  return { ...looks[state], word: t(`realtime.state.${state}`) };
}

/** Whom the model talks with. */
export function speakerName({ from }: Pick<RealtimeSessionInfo, 'from'>): string {
  return from.kind === 'device' ? from.name : t('realtime.list.window');
}

/** The model's name, as it was when the conversation began. */
export function sessionName({ profileId, label }: Pick<RealtimeSessionInfo, 'profileId' | 'label'>): string {
  return profileName({ id: profileId, label });
}

/** When it began, with the day unless it is today, how long it took, how much was said and called. */
export function sessionFacts({ startedAt, closedAt, counts }: RealtimeSessionInfo): string {
  return [
    formatWhen(startedAt),
    ...(closedAt === undefined ? [] : [formatDuration(closedAt - startedAt)]),
    t('realtime.list.responses', {}, counts.responses),
    t('realtime.list.calls', {}, counts.calls),
  ].join(' · ');
}
