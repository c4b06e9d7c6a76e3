import { computed, onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { RealtimeSessionInfo } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';
import { isAmount, useRemembered } from '../../../window/useRemembered.ts';
import { pcmFromBase64 } from '../audio/pcm.ts';
import { levelOf } from '../audio/level.ts';
import { VoiceQueue } from '../audio/voiceQueue.ts';

/** What the model says, heard in this window. */
export interface Voice {
  player: ShallowRef<VoicePlayer | undefined>;
  muted: Ref<boolean>;
  /** 0 to 100. */
  volume: Ref<number>;
  /** The browser waits for a press before it lets sound out. */
  heldBack: Ref<boolean>;
  /** ms that were left out because the page was slow. */
  droppedMs: Ref<number>;
  error: Ref<string | undefined>;
  resume(): Promise<void>;
  /** Stops what plays, and tells how much of the response that was playing was heard. */
  flush(): { playedMs?: number };
}

/** Plays the voice of one conversation while it is open. A device plays its own: there the window is silent at first. */
export function useVoice(info: ShallowRef<RealtimeSessionInfo>): Voice {
  const client = useClient();
  const player = shallowRef<VoicePlayer>();
  const muted = ref(info.value.from.kind === 'device');
  const volume = useRemembered<number>('realtime.volume', 80, isAmount);
  const heldBack = ref(false);
  const droppedMs = ref(0);
  const error = ref<string>();
  let stop = new AbortController();

  const loudness = computed(() => (muted.value ? 0 : (volume.value / 100) ** 2));

  async function listen(signal: AbortSignal): Promise<void> {
    const { id, outputSampleRate } = info.value;
    const opened = openVoicePlayer({ sampleRate: outputSampleRate });
    opened.setVolume(loudness.value);
    player.value = opened;
    heldBack.value = opened.isHeldBack();
    try {
      for await (const piece of await client.realtime.voice({ id }, { signal })) {
        if (piece.kind === 'flush') opened.queue.flush(piece.responseId);
        else if (piece.kind === 'dropped') droppedMs.value += piece.ms;
        else opened.queue.push(pcmFromBase64(piece.pcm), piece.sampleRate, piece.responseId);
        if (heldBack.value) heldBack.value = opened.isHeldBack();
      }
      // The last words are said to their end.
      while (!signal.aborted && opened.queue.waitingMs > 0) await new Promise((resolve) => setTimeout(resolve, 200));
    } catch (cause) {
      if (!signal.aborted) error.value = cause instanceof Error ? cause.message : String(cause);
    } finally {
      if (player.value === opened) player.value = undefined;
      await opened.close();
    }
  }

  watch(
    () => info.value.state === 'connected' || info.value.state === 'reconnecting',
    (open) => {
      if (!open || player.value !== undefined) return;
      stop = new AbortController();
      error.value = undefined;
      listen(stop.signal).catch((cause: unknown) => {
        error.value = cause instanceof Error ? cause.message : String(cause);
      });
    },
    { immediate: true },
  );
  watch(loudness, (now) => player.value?.setVolume(now));
  onScopeDispose(() => stop.abort());

  return {
    player,
    muted,
    volume,
    heldBack,
    droppedMs,
    error,
    async resume() {
      await player.value?.resume();
      heldBack.value = player.value?.isHeldBack() ?? false;
    },
    flush() {
      const queue = player.value?.queue;
      const current = queue?.current;
      if (queue === undefined || current === undefined) return {};
      const playedMs = queue.playedMs(current);
      queue.flush();
      return { playedMs };
    },
  };
}

/** The window's loudspeaker for one conversation. */
interface VoicePlayer {
  queue: VoiceQueue;
  /** How loud it is right now, 0 to 1 of a meter. */
  level(): number;
  /** 0 to 1. */
  setVolume(volume: number): void;
  /** The browser lets no sound out before the user has pressed something. */
  isHeldBack(): boolean;
  /** To be called from a press. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the loudspeaker at the model's own rate, so that pieces meet at whole samples. */
function openVoicePlayer({ sampleRate }: { sampleRate: number }): VoicePlayer {
  const context = new AudioContext({ sampleRate });
  const gain = context.createGain();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1_024;
  analyser.connect(gain).connect(context.destination);
  const samples = new Float32Array(analyser.fftSize);
  const queue = new VoiceQueue({ context, destination: analyser });
  return {
    queue,
    level() {
      if (queue.current === undefined) return 0;
      analyser.getFloatTimeDomainData(samples);
      return levelOf(samples);
    },
    // Along a short way: a jump would be heard as a click.
    setVolume: (volume) => void gain.gain.setTargetAtTime(volume, context.currentTime, 0.015),
    isHeldBack: () => context.state === 'suspended',
    resume: () => context.resume(),
    close: () => context.close(),
  };
}
