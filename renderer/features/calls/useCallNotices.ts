import { watch } from 'vue';

import { isFlag, useRemembered } from '../../window/useRemembered.ts';
import { formatDuration } from '../../ui/format/formatDuration.ts';
import { t } from '../../i18n/index.ts';
import { useCalls } from './callsStore.ts';
import { useSandbox } from '../executor/sandboxStore.ts';

/** Whether the person wants to hear of long calls; the permission is asked for where this is switched on. */
export const noticesKey = 'notices.longCalls';
/** Notices of one moment; a series of calls is one piece of news, not many. */
const mostAtOnce = 3;

/**
 * Tells the person of a long call that ended while the window was not in front, by the system's own notice, where they
 * want it. A click on it goes to the call's method; it runs nothing.
 */
export function useCallNotices(options: { host?: Window & typeof globalThis; longMs?: number } = {}): void {
  const { host = window, longMs = 10_000 } = options;
  const calls = useCalls();
  const sandbox = useSandbox();
  const wanted = useRemembered(noticesKey, false, isFlag);
  let known: Set<string> | undefined;

  watch(
    () => (calls.loaded ? calls.history : undefined),
    (history) => {
      if (history === undefined) return;
      const before = known;
      known = new Set(history.map(({ callId }) => callId));
      // What had ended when the window opened is no news.
      if (before === undefined || !wanted.value || host.document.hasFocus()) return;
      if (!('Notification' in host) || host.Notification.permission !== 'granted') return;
      const long = history.filter(
        ({ callId, result }) => !before.has(callId) && result !== undefined && result.durationMs >= longMs,
      );
      for (const { callId, methodName, qualifiedName, result } of long.slice(0, mostAtOnce)) {
        const time = formatDuration(result?.durationMs ?? 0);
        const title =
          result?.status === 'success'
            ? t('shell.notices.answered', { name: methodName })
            : t('shell.notices.failed', { name: methodName });
        // By its tag, two windows of one engine show one notice.
        const notice = new host.Notification(title, { body: t('shell.notices.after', { time }), tag: callId });
        notice.onclick = () => {
          host.focus();
          sandbox.load({ qualifiedName });
        };
      }
    },
    { immediate: true },
  );
}
