import { onDeactivated, onScopeDispose, ref, shallowRef, type Ref, type ShallowRef } from 'vue';

import type { RealtimeSessionInfo } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';
import { t } from '../../../i18n/index.ts';
import { levelOf } from '../audio/level.ts';
import { base64FromPcm, floatsFromPcm, pcmFromFloats } from '../audio/pcm.ts';
import { maxSoundBytes, readSound } from '../audio/readSound.ts';
import { SoundSender } from '../audio/soundSender.ts';
import { streamSound } from '../audio/streamSound.ts';
import workletUrl from '../audio/captureWorklet.ts?worker&url';

/** A microphone did not open; `trouble` is undefined for any other error of the browser. */
class MicrophoneError extends Error {
  readonly trouble: MicrophoneTrouble | undefined;
  constructor(trouble: MicrophoneTrouble | undefined, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.trouble = trouble;
  }
}

const troubles = new Map<string, MicrophoneTrouble>([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'none'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
]);

/** A recording that is being sent. */
export interface Recording {
  name: string;
  /** ms. */
  at: number;
  total: number;
}

/** The user's side of a conversation: a microphone, or a recording instead. */
export interface Talk {
  state: Ref<'off' | 'opening' | 'microphone' | 'recording'>;
  recording: ShallowRef<Recording | undefined>;
  /** Why there is no sound. */
  trouble: Ref<string | undefined>;
  /** ms of sound that the engine could not accept. */
  droppedMs: Ref<number>;
  /** Loudness of the last piece, 0 to 1. */
  level(): number;
  speak(): Promise<void>;
  /** Plays a file as if it were spoken. */
  playFile(file: File): Promise<void>;
  play(sound: { pcm: Int16Array; sampleRate: number; name: string }): Promise<void>;
  stop(): void;
}

/** Sends the user's speech to one conversation. The microphone is closed with the pane and with the conversation. */
export function useTalk(info: ShallowRef<RealtimeSessionInfo>): Talk {
  const sound = createOutgoingSound(info, useClient());
  const { state, trouble, droppedMs, stop, level } = sound;
  // The microphone must not record while the user cannot see that it is on.
  onDeactivated(stop);
  onScopeDispose(stop);
  return { state, trouble, droppedMs, stop, level, speak: createSpeaking(sound), ...createPlayback(sound, info) };
}

type OutgoingSound = ReturnType<typeof createOutgoingSound>;

/** What the microphone and recordings share: the sound on its way to the conversation. Only one of them sends at a time. */
function createOutgoingSound(info: ShallowRef<RealtimeSessionInfo>, client: ReturnType<typeof useClient>) {
  const { id } = info.value;
  const state = ref<'off' | 'opening' | 'microphone' | 'recording'>('off');
  const trouble = ref<string>();
  const droppedMs = ref(0);
  let heard = { level: 0, at: 0 };
  let stopping = new AbortController();

  function senderOf(sampleRate: number): SoundSender {
    return new SoundSender({
      sampleRate,
      send: (pcm) => client.realtime.sendAudio({ id, pcm: base64FromPcm(pcm), sampleRate }),
    });
  }

  function hear(samples: Float32Array): void {
    heard = { level: levelOf(samples), at: performance.now() };
  }

  /** Shows the reason, unless the conversation has ended meanwhile. */
  function fail(cause: unknown): void {
    if (info.value.state === 'closed') return;
    if (cause instanceof MicrophoneError && cause.trouble !== undefined) {
      trouble.value = t(`realtime.speak.trouble.${cause.trouble}`);
      return;
    }
    trouble.value = cause instanceof Error ? cause.message : String(cause);
  }

  /** Returns undefined if something is being sent already. */
  function begin(as: 'opening' | 'recording'): AbortSignal | undefined {
    if (state.value !== 'off') return undefined;
    state.value = as;
    trouble.value = undefined;
    stopping = new AbortController();
    return stopping.signal;
  }

  return {
    state,
    trouble,
    droppedMs,
    senderOf,
    hear,
    fail,
    begin,
    async end(): Promise<void> {
      if (info.value.state === 'connected') await client.realtime.endAudio({ id });
    },
    stop: () => stopping.abort(),
    level: () => (performance.now() - heard.at < 250 ? heard.level : 0),
  };
}

function createSpeaking(sound: OutgoingSound): Talk['speak'] {
  const { state, trouble, droppedMs, senderOf, hear, fail, begin, stop } = sound;
  return async () => {
    const signal = begin('opening');
    if (signal === undefined) return;
    let microphone: Microphone | undefined;
    let sender: SoundSender | undefined;
    try {
      microphone = await openMicrophone({
        onSound(samples) {
          if (signal.aborted || microphone === undefined) return;
          hear(samples);
          sender ??= senderOf(microphone.sampleRate);
          try {
            sender.push(pcmFromFloats(samples));
            droppedMs.value = sender.droppedMs;
          } catch (cause) {
            fail(cause);
            stop();
          }
        },
        onEnd() {
          trouble.value = t('realtime.speak.trouble.gone');
          stop();
        },
      });
      if (!signal.aborted) {
        state.value = 'microphone';
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      }
      await microphone.close();
      await sender?.sent();
      await sound.end();
    } catch (cause) {
      fail(cause);
    } finally {
      state.value = 'off';
    }
  };
}

function createPlayback(sound: OutgoingSound, info: ShallowRef<RealtimeSessionInfo>) {
  const { state, trouble, droppedMs, senderOf, hear, fail, begin } = sound;
  const recording = shallowRef<Recording>();

  async function play({ pcm, sampleRate, name }: { pcm: Int16Array; sampleRate: number; name: string }): Promise<void> {
    const signal = begin('recording');
    if (signal === undefined) return;
    const sender = senderOf(sampleRate);
    const total = (pcm.length / sampleRate) * 1_000;
    recording.value = { name, at: 0, total };
    try {
      await streamSound({
        pcm,
        sampleRate,
        signal,
        push(piece) {
          hear(floatsFromPcm(piece));
          sender.push(piece);
        },
        onProgress: (at) => (recording.value = { name, at, total }),
      });
    } catch (cause) {
      if (!signal.aborted) fail(cause);
    }
    try {
      await sender.sent();
      droppedMs.value = sender.droppedMs;
      await sound.end();
    } catch (cause) {
      fail(cause);
    } finally {
      recording.value = undefined;
      state.value = 'off';
    }
  }

  async function playFile(file: File): Promise<void> {
    trouble.value = undefined;
    if (file.size > maxSoundBytes) {
      trouble.value = t('realtime.speak.trouble.large', { name: file.name });
      return;
    }
    const sampleRate = info.value.inputSampleRate;
    let pcm: Int16Array;
    try {
      pcm = await readSound(file, sampleRate);
    } catch {
      // Browsers only report that it cannot be decoded.
      trouble.value = t('realtime.speak.trouble.notSound', { name: file.name });
      return;
    }
    await play({ pcm, sampleRate, name: file.name });
  }

  return { recording, play, playFile };
}

/** Why a microphone is not available. */
type MicrophoneTrouble = 'refused' | 'none' | 'busy' | 'unsupported';

/** An open microphone. */
interface Microphone {
  /** Samples per second. */
  sampleRate: number;
  close(): Promise<void>;
}

/**
 * Requests the microphone and records until it is closed. `onEnd` is called if it was unplugged or its permission was
 * revoked. Rejects with a `MicrophoneError`.
 */
async function openMicrophone(options: {
  onSound: (samples: Float32Array) => void;
  onEnd: () => void;
}): Promise<Microphone> {
  const { onSound, onEnd } = options;
  const stream = await askForMicrophone();
  const context = new AudioContext();
  const close = async (): Promise<void> => {
    for (const track of stream.getTracks()) track.stop();
    if (context.state !== 'closed') await context.close();
  };
  try {
    await context.audioWorklet.addModule(workletUrl);
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0, channelCount: 1 });
    capture.port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data instanceof Float32Array) onSound(data);
    };
    for (const track of stream.getAudioTracks()) track.onended = onEnd;
    context.createMediaStreamSource(stream).connect(capture);
    await context.resume();
  } catch (cause) {
    await close();
    throw new MicrophoneError(undefined, cause);
  }
  return { sampleRate: context.sampleRate, close };
}

async function askForMicrophone(): Promise<MediaStream> {
  // Absent if the page is not a secure context.
  const devices = 'mediaDevices' in navigator ? navigator.mediaDevices : undefined;
  if (devices === undefined) throw new MicrophoneError('unsupported', 'navigator.mediaDevices is absent');
  try {
    return await devices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
  } catch (cause) {
    throw new MicrophoneError(cause instanceof Error ? troubles.get(cause.name) : undefined, cause);
  }
}
