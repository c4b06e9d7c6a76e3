import type { JsonObject } from '../../base/json.ts';
import { AudioChunk, type AnyChunk } from '../chunks.ts';
import { fieldOf, textOf } from '../events/eventFields.ts';
import { VoicePosition } from './voicePosition.ts';

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
