import { floatsFromPcm } from './pcm.ts';

/** The parts of an `AudioContext` that play pieces of sound. */
export type VoiceContext = Pick<AudioContext, 'currentTime' | 'createBuffer' | 'createBufferSource'>;

interface Piece {
  source: AudioBufferSourceNode;
  responseId: string;
  /** Seconds of the context's time. */
  from: number;
  to: number;
}

/** Seconds before the first piece of a run is heard: so long may the next one take to come. */
const lead = 0.08;
/** Responses of which it is remembered how much was heard. */
const remembered = 16;

/** The model's voice, played piece behind piece without a gap, until it is flushed. */
export class VoiceQueue {
  readonly #context: VoiceContext;
  readonly #destination: AudioNode;
  #pieces: Piece[] = [];
  #nextAt = 0;
  /** Seconds of pieces that are over, by response. */
  readonly #heard = new Map<string, number>();

  constructor(options: { context: VoiceContext; destination: AudioNode }) {
    this.#context = options.context;
    this.#destination = options.destination;
  }

  push(pcm: Int16Array, sampleRate: number, responseId: string): void {
    if (pcm.length === 0) return;
    const buffer = this.#context.createBuffer(1, pcm.length, sampleRate);
    buffer.copyToChannel(floatsFromPcm(pcm), 0);
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.#destination);
    const now = this.#context.currentTime;
    const from = this.#nextAt > now ? this.#nextAt : now + lead;
    const piece: Piece = { source, responseId, from, to: from + pcm.length / sampleRate };
    this.#nextAt = piece.to;
    this.#pieces.push(piece);
    source.onended = () => this.#end(piece);
    source.start(from);
  }

  /** Ends what plays and throws away what waits: of one response, or all. */
  flush(responseId?: string): void {
    const gone = this.#pieces.filter((piece) => responseId === undefined || piece.responseId === responseId);
    for (const piece of gone) {
      piece.source.stop();
      this.#end(piece);
    }
    this.#nextAt = this.#pieces.at(-1)?.to ?? 0;
  }

  /** ms of a response's voice that were heard. */
  playedMs(responseId: string): number {
    const now = this.#context.currentTime;
    let seconds = this.#heard.get(responseId) ?? 0;
    for (const piece of this.#pieces) if (piece.responseId === responseId) seconds += heardOf(piece, now);
    return Math.round(seconds * 1_000);
  }

  /** The response that is heard now, or as soon as its first piece begins. */
  get current(): string | undefined {
    return this.#pieces[0]?.responseId;
  }

  /** ms until all that came is played. */
  get waitingMs(): number {
    return Math.max(0, this.#nextAt - this.#context.currentTime) * 1_000;
  }

  /** Once for each piece. */
  #end(piece: Piece): void {
    if (!this.#pieces.includes(piece)) return;
    this.#pieces = this.#pieces.filter((each) => each !== piece);
    const { responseId } = piece;
    const before = this.#heard.get(responseId) ?? 0;
    this.#heard.delete(responseId);
    this.#heard.set(responseId, before + heardOf(piece, this.#context.currentTime));
    const [oldest] = this.#heard.keys();
    if (this.#heard.size > remembered && oldest !== undefined) this.#heard.delete(oldest);
  }
}

function heardOf({ from, to }: Piece, now: number): number {
  return Math.max(0, Math.min(now, to) - from);
}
