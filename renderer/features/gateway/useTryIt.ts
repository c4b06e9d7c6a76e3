import { ref, type Ref } from 'vue';

import { useClient } from '../../client/useClient.ts';
import { t } from '../../i18n/index.ts';
import { useGateway } from './gatewayStore.ts';
import { useToasts } from '../../window/toasts.ts';
import { sampleTool } from './sampleTool.ts';

/** A first exchange: the gateway on, the test client in it, a tool of its own, and a question to the model. */
export function useTryIt(onConnected: (connectionId: string) => void): {
  busy: Ref<boolean>;
  run: () => Promise<void>;
} {
  const client = useClient();
  const gateway = useGateway();
  const toasts = useToasts();
  const busy = ref(false);

  async function run(): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      if (gateway.state?.listening !== true) await gateway.setEnabled(true);
      const { connectionId } = await gateway.openTestClient();
      onConnected(connectionId);
      const known = gateway.state?.testClient?.tools ?? [];
      if (known.length === 0) await gateway.setTestTools([sampleTool()]);
      await client.gateway.sendAsClient({ text: JSON.stringify({ type: 'text_input', text: t('gateway.try.text') }) });
    } catch (cause) {
      // Where it cannot listen the pane says so itself.
      if (gateway.state?.error === undefined) toasts.fail(t('gateway.try.failed'), cause);
    } finally {
      busy.value = false;
    }
  }

  return { busy, run };
}
