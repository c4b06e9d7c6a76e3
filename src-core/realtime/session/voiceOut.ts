import type { JsonObject } from '../../base/json.ts';
import { AudioChunk, type AnyChunk } from '../chunks.ts';
import { fieldOf, textOf } from '../events/eventFields.ts';

/** The model's voice on its way out; what comes of a response after it was interrupted is left out. */
export class VoiceOut {
  readonly #emit: (chunk: AnyChunk) => void;
  readonly #sampleRate: number;
  readonly #position: VoicePosition;
  #muted: string | undefined;

  constructor({ emit, sampleRate }: { emit: (chunk: AnyChunk) => void; sampleRate: number }) {
    this.#emit = emit;
    this.#sampleRate = sampleRate;
    this.#position = new VoicePosition(sampleRate);
  }

  /** A delta of sound in base64. */
  piece(event: JsonObject): void {
    const responseId = textOf(event, 'response_id');
    if (this.isMuted(responseId)) return;
    const index = fieldOf(event, 'content_index');
    const data = this.#position.add({
      itemId: textOf(event, 'item_id') ?? '',
      contentIndex: typeof index === 'number' ? index : 0,
      data: Buffer.from(textOf(event, 'delta') ?? '', 'base64'),
    });
    if (data.length > 0) this.#emit(new AudioChunk({ data, sampleRate: this.#sampleRate, source: 'bot', responseId }));
  }

  mute(responseId: string): void {
    this.#muted = responseId;
  }

  isMuted(responseId: string | undefined): boolean {
    return responseId !== undefined && responseId !== '' && responseId === this.#muted;
  }

  /** Where to cut the voice after so many ms of it were heard. */
  cutAt(playedMs: number): ReturnType<VoicePosition['cutAt']> {
    return this.#position.cutAt(playedMs);
  }

  /** Nothing of it is there to be cut any more. */
  clearPosition(): void {
    this.#position.clear();
  }

  clear(): void {
    this.#muted = undefined;
    this.#position.clear();
  }
}

/** The item that the model speaks now and how much of its voice has arrived, so that it can be cut at the played position. */
class VoicePosition {
  readonly #bytesPerMs: number;
  #itemId: string | undefined;
  #contentIndex = 0;
  #bytes = 0;
  /** Half a sample that a piece ended with. */
  #half: Uint8Array = new Uint8Array(0);

  constructor(sampleRate: number) {
    this.#bytesPerMs = (sampleRate * 2) / 1000;
  }

  /** Adds a piece of the voice; returns it in whole samples. */
  add(piece: { itemId: string; contentIndex: number; data: Uint8Array }): Uint8Array {
    if (piece.itemId !== this.#itemId || piece.contentIndex !== this.#contentIndex) this.clear();
    this.#itemId = piece.itemId;
    this.#contentIndex = piece.contentIndex;
    this.#bytes += piece.data.length;
    const all = this.#half.length === 0 ? piece.data : Buffer.concat([this.#half, piece.data]);
    const whole = all.length - (all.length % 2);
    this.#half = all.slice(whole);
    return whole === all.length ? all : all.subarray(0, whole);
  }

  /** Where to cut it after `playedMs`; never after its end, which servers refuse. Undefined if nothing was said. */
  cutAt(playedMs: number): { itemId: string; contentIndex: number; audioEndMs: number } | undefined {
    if (this.#itemId === undefined) return undefined;
    const length = Math.floor(this.#bytes / this.#bytesPerMs);
    const audioEndMs = Math.min(Math.max(0, Math.round(playedMs)), length);
    return { itemId: this.#itemId, contentIndex: this.#contentIndex, audioEndMs };
  }

  clear(): void {
    this.#itemId = undefined;
    this.#contentIndex = 0;
    this.#bytes = 0;
    this.#half = new Uint8Array(0);
  }
}
