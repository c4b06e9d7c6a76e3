import { ref, type Ref } from 'vue';

import { useClient } from '../../../client/useClient.ts';
import { t } from '../../../i18n/index.ts';
import { base64FromBytes } from '../audio/pcm.ts';
import { readSound } from '../audio/readSound.ts';
import { wavFile } from '../audio/wavFile.ts';

/** Samples a second that devices speak with. */
const sampleRate = 16_000;
/** ms of a recording: more does not fit into one request. */
const maxMs = 500_000;

/** Lets a virtual device say a recording, whatever kind of file it is in. */
export function useDevicePlayback(): {
  playing: Ref<boolean>;
  error: Ref<string | undefined>;
  play(deviceId: string, file: Blob & { name: string }): Promise<void>;
} {
  const client = useClient();
  const playing = ref(false);
  const error = ref<string>();

  async function read(file: Blob & { name: string }): Promise<Int16Array | undefined> {
    try {
      const pcm = await readSound(file, sampleRate);
      if ((pcm.length / sampleRate) * 1_000 <= maxMs) return pcm;
      error.value = t('realtime.speak.trouble.large', { name: file.name });
    } catch {
      // Browsers say no more than that it cannot be decoded.
      error.value = t('realtime.speak.trouble.notSound', { name: file.name });
    }
    return undefined;
  }

  return {
    playing,
    error,
    async play(deviceId, file) {
      if (playing.value) return;
      playing.value = true;
      error.value = undefined;
      try {
        const pcm = await read(file);
        if (pcm === undefined) return;
        await client.realtime.playOnDevice({ deviceId, wav: base64FromBytes(wavFile(pcm, sampleRate)) });
      } catch (cause) {
        error.value = cause instanceof Error ? cause.message : String(cause);
      } finally {
        playing.value = false;
      }
    },
  };
}
