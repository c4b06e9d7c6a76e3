import type { RealtimeTimelineItem } from '../../../contract/types/realtime.ts';
import type { AudioChunk } from '../../../realtime/chunks.ts';
import type { Timeline } from './timeline.ts';

interface ResponseSpan {
  response: RealtimeTimelineItem;
  audio?: RealtimeTimelineItem;
  /** ms of voice that came. */
  audioMs: number;
  words: string;
}

/** When something happened, and the wire event that said so. */
export interface Moment {
  /** Epoch ms. */
  at: number;
  event?: number | undefined;
}

/** The model's responses on the timeline, each with its voice. */
export class ResponseSpans {
  readonly #timeline: Timeline;
  readonly #open = new Map<string, ResponseSpan>();
  #count = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** All that ever began. */
  get count(): number {
    return this.#count;
  }

  begin(responseId: string, { at, event }: Moment): void {
    this.#count += 1;
    const response = this.#timeline.begin({ lane: 'response', from: at, label: '', event });
    this.#open.set(responseId, { response, audioMs: 0, words: '' });
  }

  /** A wire event of a response. */
  note(responseId: string, event: number, { isAudio }: { isAudio: boolean }): void {
    const span = this.#open.get(responseId);
    const item = isAudio ? span?.audio : span?.response;
    if (item !== undefined) this.#timeline.note(item, event);
  }

  said(responseId: string, delta: string): void {
    const span = this.#open.get(responseId);
    if (span === undefined) return;
    span.words = (span.words + delta).slice(0, 300);
    this.#timeline.change(span.response, { label: span.words });
  }

  /** A piece of the voice. True for the first one. */
  voice({ responseId = '', data, sampleRate }: AudioChunk, { at, event }: Moment): boolean {
    const span = this.#open.get(responseId);
    if (span === undefined) return false;
    const first = span.audio === undefined;
    span.audio ??= this.#timeline.begin({ lane: 'bot-audio', from: at, label: '', event });
    span.audioMs += (data.length / 2 / sampleRate) * 1_000;
    this.#timeline.change(span.audio, { label: `${(span.audioMs / 1_000).toFixed(1)} s` });
    return first;
  }

  latency(responseId: string, latencyMs: number): void {
    const span = this.#open.get(responseId);
    if (span !== undefined) this.#timeline.change(span.response, { latencyMs });
  }

  /** The voice of a whole response goes on until it is heard; that of one that was broken off ends with it. */
  end(responseId: string, at: number, state: RealtimeTimelineItem['state']): void {
    const span = this.#open.get(responseId);
    if (span === undefined) return;
    this.#open.delete(responseId);
    this.#timeline.end(span.response, at, state);
    if (span.audio === undefined) return;
    const heard = span.audio.from + Math.round(span.audioMs);
    this.#timeline.end(span.audio, state === 'ok' ? Math.max(at, heard) : at, state);
  }

  endAll(at: number): void {
    for (const responseId of [...this.#open.keys()]) this.end(responseId, at, 'interrupted');
  }
}
