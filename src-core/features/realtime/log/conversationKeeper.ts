import type {
  RealtimeSessionInfo,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
  RealtimeUpdate,
} from '../../../contract/types/realtime.ts';
import { maskMember } from '../../../base/maskSecrets.ts';
import { logIdOf } from '../../../store/frameTypes.ts';
import type { Clock } from '../../../base/clock.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { FrameEntry, FrameLog } from '../../frames/frameLog.ts';

/** A conversation whose changes are kept. */
export interface KeptConversation {
  readonly id: string;
  info(): RealtimeSessionInfo;
  updates(revision: number): RealtimeUpdate;
}

/** ms from a change to its writing; a crash loses at most this much. */
const keepMs = 500;
/** Characters of a part as JSON: a capture's texts may have as many. */
const maxPartLength = 512 * 1024;

/** The id of a conversation's log in the store. */
export const conversationLogId = (id: string): string => logIdOf({ source: 'realtime', connection: id });

/**
 * Writes what is new of one conversation to the log, beside the events of the wire: an entry of the transcript and an item of
 * the timeline is a note when it begins, and another one when it has ended. Secrets are masked.
 */
export class ConversationKeeper {
  readonly #conversation: KeptConversation;
  readonly #frames: Pick<FrameLog, 'add' | 'about' | 'flush'>;
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  readonly #begun = new Set<string>();
  /** What is known of the conversation, masked. */
  #about: RealtimeSessionInfo;
  #revision = 0;
  #stopTimer: (() => void) | undefined;
  #hasEnded = false;

  constructor(
    conversation: KeptConversation,
    options: { frames: Pick<FrameLog, 'add' | 'about' | 'flush'>; clock: Clock; onEnd: () => void },
  ) {
    this.#conversation = conversation;
    this.#frames = options.frames;
    this.#clock = options.clock;
    this.#onEnd = options.onEnd;
    this.#about = masked(conversation.info());
    this.#keep({
      at: this.#about.startedAt,
      direction: 'out',
      kind: 'open',
      bytes: 0,
      note: { type: 'open', summary: '' },
    });
    this.#keepAbout(this.#about.startedAt);
    this.#frames.flush();
  }

  /** Something has changed; it is written soon. */
  changed(): void {
    if (!this.#hasEnded) this.#stopTimer ??= this.#clock.after(keepMs, () => this.#write());
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#write();
    const { closedAt = this.#clock.wall(), reason = '' } = this.#about;
    const note = { type: 'close', summary: reason.slice(0, 1_024) };
    this.#keep({ at: closedAt, direction: 'in', kind: 'close', bytes: 0, note });
    this.#frames.flush();
    this.#onEnd();
  }

  #write(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const { session, transcript, timeline, revision } = this.#conversation.updates(this.#revision);
    this.#about = masked(session);
    for (const entry of transcript) this.#keepEntry(entry);
    for (const item of timeline) this.#keepItem(item);
    this.#revision = revision;
    this.#keepAbout(this.#clock.wall());
  }

  #keepEntry(entry: RealtimeTranscriptEntry): void {
    if (this.#isNews(entry.id, entry.partial)) this.#keepPart('transcript', entry.at, entry.who, entry);
  }

  #keepItem(item: RealtimeTimelineItem): void {
    if (this.#isNews(`${item.seq}`, item.to === undefined))
      this.#keepPart('timeline', item.from, item.lane, boundItem(item));
  }

  /** False for what goes on and has been written. */
  #isNews(id: string, goesOn: boolean): boolean {
    const isKnown = this.#begun.has(id);
    if (goesOn) this.#begun.add(id);
    else this.#begun.delete(id);
    return !goesOn || !isKnown;
  }

  #keepPart(type: 'transcript' | 'timeline', at: number, summary: string, part: object): void {
    const text = JSON.stringify(part, maskMember);
    const note = { type, summary };
    this.#keep({ at, direction: 'out', kind: 'note', bytes: Buffer.byteLength(text), text, note });
  }

  #keep(frame: FrameEntry): void {
    this.#frames.add({ source: 'realtime', connection: this.#about.id, ...frame });
  }

  #keepAbout(lastSeenAt: number): void {
    const { id: deviceId, label: name, startedAt: connectedAt } = this.#about;
    const about = this.#about as unknown as JsonObject;
    const id = conversationLogId(deviceId);
    this.#frames.about({ id, deviceId, name, virtual: false, connectedAt, lastSeenAt, about });
  }
}

function masked(info: RealtimeSessionInfo): RealtimeSessionInfo {
  return JSON.parse(JSON.stringify(info, maskMember)) as RealtimeSessionInfo;
}

/** An item whose call has arguments and an output that a capture's text can hold. */
function boundItem(item: RealtimeTimelineItem): RealtimeTimelineItem {
  if (item.call === undefined || JSON.stringify(item).length <= maxPartLength) return item;
  const { argumentsJson, output = '' } = item.call;
  // Escapes made it too long: six characters for one, at most.
  const most = Math.floor(maxPartLength / 16);
  return {
    ...item,
    call: { ...item.call, argumentsJson: argumentsJson.slice(0, most), output: output.slice(0, most) },
  };
}
