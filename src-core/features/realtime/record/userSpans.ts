import type { RealtimeTimelineItem } from '../../../contract/types/realtime.ts';
import type { Moment } from './responseSpans.ts';
import type { Timeline } from './timeline.ts';

/** ms without sound after which the next piece begins a new span. */
const gapMs = 1_000;

/** The person's sound and speech on the timeline. */
export class UserSpans {
  readonly #timeline: Timeline;
  #sound: { item: RealtimeTimelineItem; until: number } | undefined;
  #speech: RealtimeTimelineItem | undefined;
  /** Speech by the id of its item, until its words come. */
  readonly #unheard = new Map<string, RealtimeTimelineItem>();

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get speaking(): boolean {
    return this.#speech !== undefined;
  }

  /** A piece of sound came. */
  sound(at: number): void {
    if (this.#sound !== undefined && at - this.#sound.until > gapMs) this.soundEnded();
    this.#sound ??= { item: this.#timeline.begin({ lane: 'user-audio', from: at, label: '' }), until: at };
    this.#sound.until = at;
  }

  soundEnded(): void {
    if (this.#sound !== undefined) this.#timeline.end(this.#sound.item, this.#sound.until);
    this.#sound = undefined;
  }

  speechBegan(itemId: string, { at, event }: Moment): void {
    this.speechEnded({ at });
    this.#speech = this.#timeline.begin({ lane: 'user-speech', from: at, label: '', event });
    this.#unheard.set(itemId, this.#speech);
    for (const oldest of this.#unheard.keys()) {
      if (this.#unheard.size <= 32) break;
      this.#unheard.delete(oldest);
    }
  }

  speechEnded({ at, event }: Moment): void {
    if (this.#speech === undefined) return;
    if (event !== undefined) this.#timeline.note(this.#speech, event);
    this.#timeline.end(this.#speech, at);
    this.#speech = undefined;
  }

  /** What was said is known. */
  heard(itemId: string, label: string, event: number | undefined): void {
    const item = this.#unheard.get(itemId);
    this.#unheard.delete(itemId);
    if (item === undefined) return;
    if (event !== undefined) this.#timeline.note(item, event);
    this.#timeline.change(item, { label });
  }

  end(at: number): void {
    this.soundEnded();
    this.speechEnded({ at });
  }
}
