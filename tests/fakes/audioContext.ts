import type { VoiceContext } from '../../renderer/features/realtime/audio/voiceQueue.ts';

/** A piece that was given to the loudspeaker. */
export interface PlayedPiece {
  /** Seconds of the context's time. */
  from: number;
  seconds: number;
  stopped: boolean;
  first: number;
}

/** The parts of an `AudioContext` that play, with a time that a test moves. It makes no sound. */
export class FakeAudioContext {
  currentTime = 0;
  readonly pieces: PlayedPiece[] = [];
  readonly #ends: { at: number; tell: () => void }[] = [];

  /** Moves the time; pieces that are over by then end. */
  advance(seconds: number): void {
    this.currentTime += seconds;
    for (const end of this.#ends.splice(0)) {
      if (end.at <= this.currentTime) end.tell();
      else this.#ends.push(end);
    }
  }

  /** As the queue sees it. */
  get context(): VoiceContext {
    return this as unknown as VoiceContext;
  }

  createBuffer(_channels: number, length: number, sampleRate: number): object {
    return {
      duration: length / sampleRate,
      first: Number.NaN,
      copyToChannel(this: { first: number }, samples: Float32Array) {
        this.first = samples[0] ?? 0;
      },
    };
  }

  createBufferSource(): object {
    const pieces = this.pieces;
    const ends = this.#ends;
    let piece: PlayedPiece | undefined;
    const source = {
      buffer: undefined as { duration: number; first: number } | undefined,
      onended: undefined as (() => void) | undefined,
      connect: (): void => undefined,
      start(from: number): void {
        const { duration: seconds = 0, first = 0 } = source.buffer ?? {};
        piece = { from, seconds, first, stopped: false };
        pieces.push(piece);
        ends.push({ at: from + seconds, tell: () => source.onended?.() });
      },
      stop(): void {
        if (piece) piece.stopped = true;
      },
    };
    return source;
  }
}
