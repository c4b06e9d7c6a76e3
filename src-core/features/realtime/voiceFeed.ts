import type { RealtimeVoicePiece } from '../../contract/types/realtime.ts';
import type { AudioChunk } from '../../realtime/chunks.ts';

/** Bytes of sound that wait for one page: almost three minutes at 24 kHz. */
const defaultMaxBytes = 8 * 1024 * 1024;

interface Listener {
  queue: ({ audio: AudioChunk } | { flush: string | undefined })[];
  bytes: number;
  droppedMs: number;
  wake: () => void;
}

/** The model's voice for the pages that listen. A slow one loses the oldest sound and is told how much. */
export class VoiceFeed {
  readonly #listeners = new Set<Listener>();
  readonly #maxBytes: number;
  #ended = false;

  constructor({ maxBytes = defaultMaxBytes }: { maxBytes?: number } = {}) {
    this.#maxBytes = maxBytes;
  }

  push(audio: AudioChunk): void {
    for (const listener of this.#listeners) {
      listener.queue.push({ audio });
      listener.bytes += audio.data.length;
      while (listener.bytes > this.#maxBytes) dropOldest(listener);
      listener.wake();
    }
  }

  /** What was sent and is not heard yet is void: of this response, or all. */
  flush(responseId?: string): void {
    for (const listener of this.#listeners) {
      listener.queue = [{ flush: responseId }];
      listener.bytes = 0;
      listener.droppedMs = 0;
      listener.wake();
    }
  }

  /** The subscriptions end once they have given out what waits. */
  end(): void {
    this.#ended = true;
    for (const listener of this.#listeners) listener.wake();
  }

  /** The voice from now on; ends when `signal` aborts. */
  async *subscribe(signal?: AbortSignal): AsyncGenerator<RealtimeVoicePiece, void, void> {
    const listener: Listener = { queue: [], bytes: 0, droppedMs: 0, wake: () => {} };
    const wake = (): void => listener.wake();
    const isAborted = (): boolean => signal?.aborted === true;
    this.#listeners.add(listener);
    signal?.addEventListener('abort', wake);
    try {
      while (!isAborted()) {
        const next = take(listener);
        if (next !== undefined) yield next;
        else if (this.#ended) return;
        else await new Promise<void>((resolve) => (listener.wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
      signal?.removeEventListener('abort', wake);
    }
  }
}

function take(listener: Listener): RealtimeVoicePiece | undefined {
  const { droppedMs } = listener;
  if (droppedMs > 0) {
    listener.droppedMs = 0;
    return { kind: 'dropped', ms: Math.round(droppedMs) };
  }
  const next = listener.queue.shift();
  if (next === undefined) return undefined;
  if ('flush' in next) return { kind: 'flush', ...(next.flush !== undefined && { responseId: next.flush }) };
  const { data, sampleRate, responseId = '' } = next.audio;
  listener.bytes -= data.length;
  const pcm = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  return { kind: 'audio', pcm, sampleRate, responseId };
}

/** Flushes stay: they are short, and the page must hear of them. */
function dropOldest(listener: Listener): void {
  const at = listener.queue.findIndex((each) => 'audio' in each);
  const [dropped] = at < 0 ? [] : listener.queue.splice(at, 1);
  if (dropped === undefined || !('audio' in dropped)) return;
  const { data, sampleRate } = dropped.audio;
  listener.bytes -= data.length;
  listener.droppedMs += (data.length / 2 / sampleRate) * 1_000;
}
