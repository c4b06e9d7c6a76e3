import type { RealtimeTimelineItem, RealtimeToolCall } from '../../../contract/types/realtime.ts';
import type { ToolCallChunk } from '../../../realtime/chunks.ts';
import type { Moment } from './responseSpans.ts';
import type { Timeline } from './timeline.ts';

/** Characters of arguments or output that are shown of a call; its events have them whole. */
const maxShown = 64 * 1024;

/** What a call came to. */
export interface ToolSpanEnd {
  output: string;
  isError: boolean;
}

/** The model's calls on the timeline. */
export class ToolSpans {
  readonly #timeline: Timeline;
  readonly #open = new Map<string, { item: RealtimeTimelineItem; call: RealtimeToolCall }>();
  #count = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** All that ever began. */
  get count(): number {
    return this.#count;
  }

  begin(chunk: ToolCallChunk, moment: Moment, options: { waits: boolean; executionId?: string | undefined }): void {
    this.#count += 1;
    const call: RealtimeToolCall = {
      callId: chunk.callId,
      toolName: chunk.toolName,
      argumentsJson: chunk.argumentsJson.slice(0, maxShown),
      ...(options.executionId !== undefined && { executionId: options.executionId }),
    };
    const state = options.waits ? 'waiting' : 'running';
    const { at: from, event } = moment;
    const item = this.#timeline.begin({ lane: 'tool', from, label: chunk.toolName, state, call, event });
    this.#open.set(chunk.callId, { item, call });
  }

  /** A wire event of a call. */
  note(callId: string, event: number): void {
    const open = this.#open.get(callId);
    if (open !== undefined) this.#timeline.note(open.item, event);
  }

  /** It waits for the user's word because of this; undefined: it has it. */
  asks(callId: string, reason: string | undefined): void {
    const open = this.#open.get(callId);
    if (open === undefined) return;
    if (reason === undefined) delete open.call.asksFirst;
    else open.call.asksFirst = reason;
    this.#timeline.change(open.item, { state: reason === undefined ? 'running' : 'waiting' });
  }

  end(callId: string, at: number, { output, isError }: ToolSpanEnd): void {
    const open = this.#open.get(callId);
    if (open === undefined) return;
    delete open.call.asksFirst;
    Object.assign(open.call, { output: output.slice(0, maxShown), isError });
    this.#timeline.change(open.item, { latencyMs: at - open.item.from });
    this.#timeline.end(open.item, at, isError ? 'failed' : 'ok');
    // Its output goes over the wire now, and belongs to it.
    if (this.#open.size > 64) this.#forgetOldest();
  }

  /** Calls that have no output get none any more. */
  endAll(at: number): void {
    for (const { item } of this.#open.values()) if (item.to === undefined) this.#timeline.end(item, at, 'interrupted');
    this.#open.clear();
  }

  #forgetOldest(): void {
    for (const [callId, { item }] of this.#open) {
      if (item.to === undefined) continue;
      this.#open.delete(callId);
      return;
    }
  }
}
