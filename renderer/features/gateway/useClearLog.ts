import { useClient } from '../../client/useClient.ts';
import { t } from '../../i18n/index.ts';
import { failedTitle } from '../../window/failedTitle.ts';
import { useClosed } from '../trash/closedStore.ts';
import { useToasts } from '../../window/toasts.ts';

/** Empties the log of all clients. */
export function useClearLog(): () => void {
  const client = useClient();
  const toasts = useToasts();
  const closed = useClosed();
  return () => {
    closed
      .remove('gatewayLog', 'gateway', () => client.frames.clear({ source: 'gateway' }))
      .catch((cause: unknown) => toasts.fail(failedTitle(t('gateway.detail.clear')), cause));
  };
}
