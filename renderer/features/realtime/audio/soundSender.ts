import { joinPcm } from './pcm.ts';

/** Maximum ms of sound in one request. */
const pieceMs = 500;

/** Sends sound in order, one request at a time. If the engine is slow, the oldest sound is dropped. */
export class SoundSender {
  readonly #send: (pcm: Int16Array) => Promise<unknown>;
  readonly #pieceSamples: number;
  readonly #maxWaiting: number;
  readonly #sampleRate: number;
  #waiting: Int16Array[] = [];
  #samples = 0;
  #dropped = 0;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(options: { send: (pcm: Int16Array) => Promise<unknown>; sampleRate: number; maxWaitingMs?: number }) {
    const { send, sampleRate, maxWaitingMs = 5_000 } = options;
    this.#send = send;
    this.#sampleRate = sampleRate;
    this.#pieceSamples = Math.floor((sampleRate * pieceMs) / 1_000);
    this.#maxWaiting = (sampleRate * maxWaitingMs) / 1_000;
  }

  /** Queues sound of any length. Throws the error of a failed request; nothing more is sent then. */
  push(pcm: Int16Array): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#waiting.push(pcm);
    this.#samples += pcm.length;
    while (this.#samples > this.#maxWaiting && this.#waiting.length > 1) {
      const lost = this.#waiting.shift()?.length ?? 0;
      this.#samples -= lost;
      this.#dropped += lost;
    }
    this.#running ??= this.#run();
  }

  /** ms of waiting sound. */
  get waitingMs(): number {
    return (this.#samples / this.#sampleRate) * 1_000;
  }

  /** ms of dropped sound. */
  get droppedMs(): number {
    return Math.round((this.#dropped / this.#sampleRate) * 1_000);
  }

  /** Resolves once everything is sent; rejects with the error of a failed request. */
  async sent(): Promise<void> {
    await this.#running;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #run(): Promise<void> {
    try {
      while (this.#samples > 0) await this.#send(this.#take());
    } catch (cause) {
      this.#failure = cause instanceof Error ? cause : new Error(String(cause), { cause });
      this.#waiting = [];
      this.#samples = 0;
    }
    this.#running = undefined;
  }

  #take(): Int16Array {
    const all = joinPcm(this.#waiting);
    const rest = all.subarray(this.#pieceSamples);
    this.#waiting = rest.length > 0 ? [rest] : [];
    this.#samples = rest.length;
    return all.subarray(0, this.#pieceSamples);
  }
}
