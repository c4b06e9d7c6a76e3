import { ref, type Ref } from 'vue';

import type { DeviceInfo } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';
import { useSentFrames } from './sentFrames.ts';

/** A frame to send: text as it stands, or bytes. */
export type Outgoing = { text: string } | { base64: string };

/** Sends a frame to a device, and asks where the engine says that it does harm. */
export function useSend(device: () => DeviceInfo): {
  sending: Ref<boolean>;
  /** seq of the last frame that went out. */
  sent: Ref<number | undefined>;
  error: Ref<string | undefined>;
  /** What the frame that waits for a yes would do; whoever asks takes it away. */
  danger: Ref<string | undefined>;
  send: (frame: Outgoing) => Promise<void>;
  confirm: () => Promise<void>;
  drop: () => void;
} {
  const client = useClient();
  const history = useSentFrames();
  const sending = ref(false);
  const sent = ref<number>();
  const error = ref<string>();
  const danger = ref<string>();
  let waiting: Outgoing | undefined;

  async function go(frame: Outgoing, confirmed: boolean): Promise<void> {
    const { id, name } = device();
    sending.value = true;
    error.value = undefined;
    sent.value = undefined;
    try {
      const outcome = await client.devices.send({ id, ...frame, ...(confirmed && { confirmed }) });
      if (outcome.sent) {
        sent.value = outcome.seq;
        const binary = 'base64' in frame;
        history.add({ text: binary ? frame.base64 : frame.text, binary, at: Date.now(), deviceName: name });
      } else {
        waiting = frame;
        danger.value = outcome.danger;
      }
    } catch (cause) {
      error.value = cause instanceof Error ? cause.message : String(cause);
    } finally {
      sending.value = false;
    }
  }

  return {
    sending,
    sent,
    error,
    danger,
    send: (frame) => go(frame, false),
    async confirm() {
      const frame = waiting;
      waiting = undefined;
      if (frame) await go(frame, true);
    },
    drop() {
      waiting = undefined;
    },
  };
}
