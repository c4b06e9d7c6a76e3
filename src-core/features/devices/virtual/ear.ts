import { OpusDecoder, OpusPacketError } from '../../../audio/opusDecoder.ts';
import { isOpusSampleRate } from '../../../audio/opusFormat.ts';
import type { OpusSampleRate } from '../../../audio/opusFormat.ts';
import { payloadOf, readBinaryFrame } from '../audio/readBinaryFrame.ts';
import type { BinaryVersion } from '../audio/readBinaryFrame.ts';

/** The audio that a virtual device has received since it was created. */
export interface HeardVoice {
  packets: number;
  /** Of Opus. */
  bytes: number;
  /** Frames that were not audio of the device's version, or not Opus. */
  malformed: number;
}

/** Receives the server's audio: counts it, and decodes it if there is a listener. */
export interface Ear {
  /** `sample_rate` of the server's hello; 24,000 until it names one that Opus knows. */
  tune: (sampleRate: unknown) => void;
  hear: (frame: Buffer) => void;
  heard: () => HeardVoice;
  /** Frees the codec; a later frame loads it again. */
  close: () => void;
}

export function createEar(options: {
  version: BinaryVersion;
  onSpeech: ((pcm: Int16Array, sampleRate: number) => void) | undefined;
}): Ear {
  const { version, onSpeech } = options;
  const heard: HeardVoice = { packets: 0, bytes: 0, malformed: 0 };
  let rate: OpusSampleRate = 24_000;
  let decoder: Promise<OpusDecoder> | undefined;

  function close(): void {
    const old = decoder;
    decoder = undefined;
    void old?.then((loaded) => loaded.close());
  }

  async function decode(packet: Buffer, tell: (pcm: Int16Array, sampleRate: number) => void): Promise<void> {
    // Each packet waits for the same promise: they stay in order.
    decoder ??= OpusDecoder.create({ sampleRate: rate });
    const own = decoder;
    const loaded = await own;
    if (own !== decoder) return;
    try {
      tell(loaded.decode(packet), loaded.sampleRate);
    } catch (error) {
      if (!(error instanceof OpusPacketError)) throw error;
      heard.malformed += 1;
      tell(loaded.conceal(), loaded.sampleRate);
    }
  }

  return {
    tune(sampleRate) {
      if (typeof sampleRate !== 'number' || !isOpusSampleRate(sampleRate) || sampleRate === rate) return;
      close();
      rate = sampleRate;
    },
    hear(frame) {
      const read = readBinaryFrame(frame, version);
      if (read.kind !== 'audio') {
        heard.malformed += 1;
        return;
      }
      heard.packets += 1;
      heard.bytes += read.bytes;
      if (onSpeech !== undefined) void decode(payloadOf(frame, version), onSpeech);
    },
    heard: () => ({ ...heard }),
    close,
  };
}
