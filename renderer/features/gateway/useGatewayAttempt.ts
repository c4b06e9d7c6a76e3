import { t, type MessageKey } from '../../i18n/index.ts';
import { failedTitle } from '../../window/failedTitle.ts';
import { useAttempt } from '../../window/useAttempt.ts';
import { useGateway } from './gatewayStore.ts';

/** `useAttempt` for the gateway: if it cannot listen, the pane's banner says why. */
export function useGatewayAttempt(title?: MessageKey) {
  const gateway = useGateway();
  return useAttempt(
    (action) => (title === undefined ? failedTitle(action) : t(title)),
    () => gateway.state?.error !== undefined,
  );
}
