import { FramePacer } from '../../../audio/framePacer.ts';
import { OpusEncoder } from '../../../audio/opusEncoder.ts';
import type { OpusFrameMs } from '../../../audio/opusFormat.ts';
import { pcmFromBytes } from '../../../audio/pcm.ts';
import { PcmFramer } from '../../../audio/pcmFramer.ts';
import type { Clock } from '../../../base/clock.ts';
import type { JsonObject } from '../../../base/json.ts';
import { RequestError } from '../../../base/requestError.ts';
import { frameAudio } from '../audio/frameAudio.ts';
import type { BinaryVersion } from '../audio/readBinaryFrame.ts';

/** Devices record at this rate (docs/protocols/xiaozhi.md#hello). */
const sampleRate = 16_000;
const maxSeconds = 600;
/** ms of silence after the speech, as from an open microphone: the server detects the end by it. */
const silenceMs = 1_000;

export interface VoiceOptions {
  mode: 'auto' | 'manual';
  frameMs: OpusFrameMs;
  version: BinaryVersion;
  clock: Clock;
  /** Returns false if the connection has ended. */
  send: (message: JsonObject) => boolean;
  sendAudio: (frame: Buffer) => boolean;
}

/** The microphone of a virtual device. */
export interface Voice {
  say: (pcm: Int16Array | Uint8Array, signal?: AbortSignal) => Promise<void>;
  /** The connection has ended: a running `say` rejects. */
  lose: () => void;
}

export function createVoice(options: VoiceOptions): Voice {
  const { mode, frameMs, version, clock, send, sendAudio } = options;
  let speaking: AbortController | undefined;

  async function say(pcm: Int16Array | Uint8Array, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (speaking !== undefined) throw new RequestError('The device is speaking already. Wait until it has ended.');
    const samples = pcm instanceof Int16Array ? pcm : pcmFromBytes(pcm);
    if (samples.length > maxSeconds * sampleRate)
      throw new RequestError(`A device says ${maxSeconds} s at once at most. Cut the recording.`, { field: 'pcm' });
    const own = (speaking = new AbortController());
    const stop = (): void => own.abort(signal?.reason);
    signal?.addEventListener('abort', stop);
    try {
      await speak(samples, own.signal);
    } finally {
      speaking = undefined;
      signal?.removeEventListener('abort', stop);
    }
  }

  async function speak(samples: Int16Array, signal: AbortSignal): Promise<void> {
    const encoder = await OpusEncoder.create({ sampleRate, frameMs });
    let sent = 0;
    const pacer = new FramePacer<Int16Array>({
      frameMs,
      // The whole speech at once, and the last packet, which silence may fill.
      maxWaiting: Math.ceil((maxSeconds * 1_000 + silenceMs) / frameMs) + 1,
      clock,
      send(frame) {
        if (!sendAudio(frameAudio(Buffer.from(encoder.encode(frame)), version, sent * frameMs))) lose();
        sent += 1;
      },
    });
    const quiet = (): void => void pacer.flush();
    signal.addEventListener('abort', quiet);
    try {
      signal.throwIfAborted();
      const start = { type: 'listen', state: 'start', mode };
      if (!send(start)) throw new RequestError('The device is not connected. Connect it first.');
      for (const frame of framesOf(samples)) pacer.push(frame);
      await pacer.idle();
      if (mode === 'manual' || signal.aborted) send({ type: 'listen', state: 'stop' });
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', quiet);
      pacer.flush();
      encoder.close();
    }
  }

  function framesOf(samples: Int16Array): Int16Array[] {
    const framer = new PcmFramer(sampleRate, frameMs);
    const frames = framer.push(samples);
    if (mode === 'auto') frames.push(...framer.push(new Int16Array((silenceMs * sampleRate) / 1_000)));
    const last = framer.flush();
    return last === undefined ? frames : [...frames, last];
  }

  function lose(): void {
    speaking?.abort(new Error('The connection was lost while the device spoke.'));
  }

  return { say, lose };
}
