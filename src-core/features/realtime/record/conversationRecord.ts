import type {
  RealtimeLatency,
  RealtimeSessionInfo,
  RealtimeUpdate,
  RealtimeTimelineItem,
} from '../../../contract/types/realtime.ts';
import { LatencyWindow } from '../../devices/wire/latencyWindow.ts';
import { ChunkType, type AnyChunk, type EventChunk } from '../../../realtime/chunks.ts';
import type { RealtimeWireEvent } from '../../../base/realtimeTypes.ts';
import type { Clock } from '../../../base/clock.ts';
import type { FrameEntry } from '../../frames/frameLog.ts';
import { ResponseSpans, type Moment } from './responseSpans.ts';
import { Revisions } from './revisedList.ts';
import { Timeline } from './timeline.ts';
import { ToolSpans } from './toolSpans.ts';
import { Transcript } from './transcript.ts';

/** What is known of one conversation: its words, its timeline. Fed in the order things happen. */
export class ConversationRecord {
  readonly #clock: Clock;
  readonly #revisions = new Revisions();
  readonly #addFrame: (frame: FrameEntry) => number;
  readonly #transcript = new Transcript(this.#revisions);
  readonly #timeline = new Timeline(this.#revisions);
  readonly #responses = new ResponseSpans(this.#timeline);
  readonly #user = new UserSpans(this.#timeline);
  readonly tools = new ToolSpans(this.#timeline);
  readonly #latencies = new LatencyWindow();
  #events = 0;
  /** The event that the server sent last: chunks come out of it. */
  #lastIn: { seq: number; itemId: string } = { seq: 0, itemId: '' };
  /** When speech ended that has had no answer; ms of `clock.now`. */
  #speechEndedAt: number | undefined;
  #botSpeaks: string | undefined;
  /** When the connection was lost; ms of `clock.now`. */
  #lostAt: number | undefined;

  /** `addFrame` records a frame of the conversation, and returns its `seq`. */
  constructor(options: { clock: Clock; addFrame: (frame: FrameEntry) => number }) {
    this.#clock = options.clock;
    this.#addFrame = options.addFrame;
  }

  /** Now, with the event that the server sent last. */
  get moment(): Moment {
    return { at: this.#clock.wall(), event: this.#lastIn.seq === 0 ? undefined : this.#lastIn.seq };
  }

  /** An event of the wire; before the chunks that come of it. */
  wire(event: RealtimeWireEvent): void {
    const seq = this.#addFrame(frameOf(event));
    this.#events += 1;
    const { responseId, callId, itemId = '', direction, type } = event;
    if (direction === 'in') this.#lastIn = { seq, itemId };
    if (responseId !== undefined) this.#responses.note(responseId, seq, { isAudio: isAudio(type) });
    if (callId !== undefined) this.tools.note(callId, seq);
    if (event.unknown === true || type === 'invalid')
      this.#timeline.point(event.at, type, { event: seq, failed: true });
  }

  chunk(chunk: AnyChunk): void {
    const { at, event } = this.moment;
    switch (chunk.type) {
      case ChunkType.AUDIO_RAW:
        if (chunk.source === 'user') return;
        this.#botSpeaks = chunk.responseId ?? '';
        this.#transcript.botVoice(chunk.responseId ?? '', (chunk.data.length / 2 / chunk.sampleRate) * 1_000);
        if (this.#responses.voice(chunk, { at, event })) this.#firstSound(chunk.responseId ?? '');
        return;
      case ChunkType.TEXT_DELTA:
        this.#responses.said(chunk.responseId ?? '', chunk.data);
        return this.#transcript.botSaid(chunk.responseId ?? '', chunk.data, at);
      case ChunkType.TEXT:
        // Sentences of the model's have come as deltas.
        if (chunk.source === 'bot') return;
        this.#user.heard(this.#lastIn.itemId, chunk.data, event);
        return this.#transcript.userSaid(chunk.data, at, this.#lastIn.itemId);
      case ChunkType.IMAGE:
      case ChunkType.TOOL_CALL:
      case ChunkType.TOOL_OUTPUT:
        return;
      default:
        return this.#happened(chunk, { at, event });
    }
  }

  /** The user typed this. */
  typed(text: string): void {
    this.#speechEndedAt = undefined;
    this.#transcript.userSaid(text, this.#clock.wall());
  }

  /** The voice was interrupted after so many ms of it were played. */
  heard(playedMs: number): void {
    this.#transcript.heard(playedMs);
  }

  /** The user showed a picture. */
  pictureShown(bytes: number): void {
    this.#transcript.pictureShown(bytes, this.#clock.wall());
  }

  /** A piece of the user's sound is on its way. */
  soundIn(): void {
    this.#user.sound(this.#clock.wall());
  }

  soundEnded(): void {
    this.#user.soundEnded();
  }

  /** The client has ended the user's turn: no `speech_stopped` comes. */
  turnEnded(): void {
    this.#speechEndedAt = this.#clock.now();
  }

  /** Something of ours that is no event of the wire. */
  remark(label: string, options: { failed?: boolean } = {}): void {
    this.#timeline.point(this.#clock.wall(), label, options);
  }

  /** Nothing more comes. */
  end(): void {
    const at = this.#clock.wall();
    this.#responses.endAll(at);
    this.#user.end(at);
    this.tools.endAll(at);
    this.#transcript.end();
    this.#botSpeaks = undefined;
  }

  facts(): Pick<RealtimeSessionInfo, 'speaking' | 'counts' | 'latency'> {
    return {
      speaking: { bot: this.#botSpeaks !== undefined, user: this.#user.speaking },
      counts: { events: this.#events, responses: this.#responses.count, calls: this.tools.count },
      latency: this.#latency(),
    };
  }

  since(revision: number): Pick<RealtimeUpdate, 'transcript' | 'timeline' | 'revision' | 'more'> {
    return {
      transcript: this.#transcript.since(revision),
      timeline: this.#timeline.since(revision),
      revision: this.#revisions.last,
      more: false,
    };
  }

  #happened(chunk: EventChunk, { at, event }: Moment): void {
    const { type, detail = '', responseId = '' } = chunk;
    switch (type) {
      case ChunkType.EVENT_VAD_START:
        this.#user.speechBegan(this.#lastIn.itemId, { at, event });
        return this.#transcript.speechBegan(this.#lastIn.itemId, at);
      case ChunkType.EVENT_VAD_END:
        this.#speechEndedAt = this.#clock.now();
        return this.#user.speechEnded({ at, event });
      case ChunkType.EVENT_RESPONSE_START:
        return this.#responses.begin(responseId, { at, event });
      case ChunkType.EVENT_RESPONSE_END: {
        const state = endState(detail);
        if (this.#botSpeaks === responseId) this.#botSpeaks = undefined;
        this.#responses.end(responseId, at, state);
        return this.#transcript.botEnded(responseId, { interrupted: state === 'interrupted' });
      }
      case ChunkType.EVENT_ERROR:
        this.#transcript.note(detail, at);
        return this.#timeline.point(at, detail, { failed: true, event });
      case ChunkType.EVENT_REALTIME_DISCONNECTED:
        this.#botSpeaks = undefined;
        this.#lostAt = this.#clock.now();
        this.#transcript.note(detail, at);
        this.#user.speechEnded({ at });
        return this.#timeline.point(at, detail, { failed: true, event });
      case ChunkType.EVENT_REALTIME_CONNECTED:
        return this.#timeline.point(at, 'session.created', { event });
      case ChunkType.EVENT_REALTIME_SESSION_UPDATED:
        this.#isBack(at);
        return this.#timeline.point(at, 'session.updated', { event });
    }
  }

  /** The session is set again after a loss. */
  #isBack(at: number): void {
    if (this.#lostAt === undefined) return;
    const seconds = ((this.#clock.now() - this.#lostAt) / 1_000).toFixed(1);
    this.#lostAt = undefined;
    this.#transcript.note(`Connected again after ${seconds} s.`, at);
  }

  #firstSound(responseId: string): void {
    if (this.#speechEndedAt === undefined) return;
    const ms = this.#clock.now() - this.#speechEndedAt;
    this.#speechEndedAt = undefined;
    this.#latencies.add(ms);
    this.#responses.latency(responseId, ms);
  }

  #latency(): RealtimeLatency {
    const figures = this.#latencies.figures();
    if (figures === undefined) return { count: 0 };
    return { last: figures.lastMs, p50: figures.p50Ms, p99: figures.p99Ms, count: figures.count };
  }
}

/** An event of the wire as a frame: the ids of its response and of its item are its method and its summary. */
function frameOf(event: RealtimeWireEvent): FrameEntry {
  const { at, direction, type, bytes, text, responseId, itemId = '', callId, unknown } = event;
  const failed = unknown === true || type === 'invalid';
  const note = { type: type.slice(0, 200), method: responseId, summary: itemId, callId: callId?.slice(0, 128), failed };
  return { at, direction, kind: 'text', bytes, text, mask: true, note };
}

function isAudio(type: string): boolean {
  return type === 'response.output_audio.delta' || type === 'response.audio.delta';
}

/** By the status that the response ended with (docs/protocols/realtime.md); a lost connection breaks it off, too. */
function endState(detail: string): 'ok' | 'failed' | 'interrupted' {
  if (detail.startsWith('completed')) return 'ok';
  return detail.startsWith('failed') ? 'failed' : 'interrupted';
}

/** ms without sound after which the next piece begins a new span. */
const gapMs = 1_000;

/** The user's sound and speech on the timeline. */
class UserSpans {
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
