import { watch } from 'vue';

import { isFlag, useRemembered } from '../../window/useRemembered.ts';
import { formatDuration } from '../../ui/format/formatDuration.ts';
import { t } from '../../i18n/index.ts';
import { useCalls } from './callsStore.ts';
import { useSandbox } from '../executor/sandboxStore.ts';

/** Whether the user wants notifications of long calls. Switching this on requests the permission. */
export const noticesKey = 'notices.longCalls';
/** Maximum number of notifications at once, so that a series of calls does not flood the user. */
const mostAtOnce = 3;

/**
 * Shows a system notification when a long call ends while the window is not focused, if the user wants it. A click on
 * it opens the call's method. It runs nothing.
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
      // Calls that ended before the window opened are not reported.
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
        // The tag makes two windows of one engine show a single notification.
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
