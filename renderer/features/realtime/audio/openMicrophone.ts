import workletUrl from './captureWorklet.ts?worker&url';

/** Why a microphone is not available. */
export type MicrophoneTrouble = 'refused' | 'none' | 'busy' | 'unsupported';

/** A microphone did not open; `trouble` is undefined for any other error of the browser. */
export class MicrophoneError extends Error {
  readonly trouble: MicrophoneTrouble | undefined;
  constructor(trouble: MicrophoneTrouble | undefined, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.trouble = trouble;
  }
}

/** An open microphone. */
export interface Microphone {
  /** Samples per second. */
  sampleRate: number;
  close(): Promise<void>;
}

const troubles = new Map<string, MicrophoneTrouble>([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'none'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
]);

/**
 * Requests the microphone and records until it is closed. `onEnd` is called if it was unplugged or its permission was
 * revoked. Rejects with a `MicrophoneError`.
 */
export async function openMicrophone(options: {
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
