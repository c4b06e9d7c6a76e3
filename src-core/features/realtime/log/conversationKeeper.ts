import type {
  RealtimeSessionInfo,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
  RealtimeUpdate,
} from '../../../contract/types/realtime.ts';
import { maskMember, maskSecretsInJson } from '../../devices/wire/maskSecrets.ts';
import { sharedLogId, type StoredFrame } from '../../../store/frameTypes.ts';
import type { Clock } from '../../../base/clock.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { WireRecorder } from '../../devices/log/wireRecorder.ts';

/** A conversation whose changes are kept. */
export interface KeptConversation {
  readonly id: string;
  info(): RealtimeSessionInfo;
  updates(revision: number): RealtimeUpdate;
  event(seq: number): { text: string };
}

/** ms from a change to its writing; a crash loses at most this much. */
const keepMs = 500;
/** Characters of a part as JSON: a capture's texts may have as many. */
const maxPartLength = 512 * 1024;

/** The id of a conversation's log in the store. */
export const conversationLogId = (id: string): string => sharedLogId('realtime', id);

/**
 * Writes what is new of one conversation to the log. An event of the wire is a frame; an entry of the transcript and an item
 * of the timeline is a note when it begins, and another one when it has ended. Secrets are masked.
 */
export class ConversationKeeper {
  readonly #conversation: KeptConversation;
  readonly #recorder: Pick<WireRecorder, 'nextSeq' | 'keep'>;
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
    options: {
      recorder: Pick<WireRecorder, 'nextSeq' | 'keep'>;
      clock: Clock;
      onEnd: () => void;
    },
  ) {
    this.#conversation = conversation;
    this.#recorder = options.recorder;
    this.#clock = options.clock;
    this.#onEnd = options.onEnd;
    this.#about = masked(conversation.info());
    this.#keep({
      at: this.#about.startedAt,
      direction: 'out',
      kind: 'open',
      type: 'open',
    });
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
    this.#keep({
      at: closedAt,
      direction: 'in',
      kind: 'close',
      type: 'close',
      summary: reason.slice(0, 1_024),
    });
    this.#onEnd();
  }

  #write(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (let more = true; more;) {
      const update = this.#conversation.updates(this.#revision);
      this.#about = masked(update.session);
      for (const { seq, at, direction, type, bytes, ...row } of update.events) {
        const { responseId, itemId = '', callId, unknown } = row;
        const { text } = this.#conversation.event(seq);
        this.#keep({
          seq,
          at,
          direction,
          kind: 'text',
          type: type.slice(0, 200),
          summary: itemId,
          bytes,
          text: maskSecretsInJson(text),
          ...(responseId !== undefined && { method: responseId }),
          ...(callId !== undefined && { callId: callId.slice(0, 128) }),
          ...((unknown === true || type === 'invalid') && { failed: true }),
        });
      }
      for (const entry of update.transcript) this.#keepEntry(entry);
      for (const item of update.timeline) this.#keepItem(item);
      this.#revision = update.revision;
      ({ more } = update);
    }
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
    this.#keep({
      at,
      direction: 'out',
      kind: 'note',
      type,
      summary,
      bytes: Buffer.byteLength(text),
      text,
    });
  }

  #keep(frame: Omit<StoredFrame, 'seq' | 'deviceId' | 'summary' | 'bytes'> & Partial<StoredFrame>): void {
    const info = this.#about;
    const deviceId = conversationLogId(info.id);
    this.#recorder.keep(
      {
        seq: this.#recorder.nextSeq(),
        summary: '',
        bytes: 0,
        ...frame,
        deviceId,
      },
      {
        id: deviceId,
        deviceId: info.id,
        name: info.label,
        virtual: false,
        connectedAt: info.startedAt,
        lastSeenAt: frame.at,
        about: info as unknown as JsonObject,
      },
    );
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
    call: {
      ...item.call,
      argumentsJson: argumentsJson.slice(0, most),
      output: output.slice(0, most),
    },
  };
}
