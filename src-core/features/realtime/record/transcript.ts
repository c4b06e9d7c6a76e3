import type { RealtimeTranscriptEntry } from '../../../contract/types/realtime.ts';
import { RevisedList, type Revisions } from './revisedList.ts';

const maxEntries = 2_000;
/** Characters of one entry. */
const maxText = 64 * 1024;

/** What both sides said, in the order they began. */
export class Transcript {
  readonly #entries: RevisedList<RealtimeTranscriptEntry>;
  /** Where the words of a response go. */
  readonly #bot = new Map<string, RealtimeTranscriptEntry>();
  /** Speech whose words have not come, by the id of its item. */
  readonly #unheard = new Map<string, RealtimeTranscriptEntry>();
  /** The voice that came last, of which a part may not have been played. */
  #voice: { responseId: string; ms: number; entry: RealtimeTranscriptEntry | undefined } | undefined;
  #last = 0;

  constructor(revisions: Revisions) {
    this.#entries = new RevisedList({ revisions, limit: maxEntries });
  }

  since(revision: number): RealtimeTranscriptEntry[] {
    return this.#entries.since(revision);
  }

  /** The user begins to speak. The words come later, often after the model's answer has begun. */
  speechBegan(itemId: string, at: number): void {
    this.#unheard.set(itemId, this.#add('user', '', at));
  }

  /** What the user said, by speech (with its item's id) or by hand. */
  userSaid(text: string, at: number, itemId?: string): void {
    const spoken = itemId === undefined ? undefined : this.#unheard.get(itemId);
    if (itemId !== undefined) this.#unheard.delete(itemId);
    const entry = spoken ?? this.#add('user', '', at);
    entry.text = text.slice(0, maxText);
    entry.partial = false;
    this.#entries.touch(entry);
  }

  botSaid(responseId: string, delta: string, at: number): void {
    const entry = this.#bot.get(responseId) ?? this.#add('bot', '', at);
    this.#bot.set(responseId, entry);
    if (this.#voice?.responseId === responseId) this.#voice.entry = entry;
    entry.text = (entry.text + delta).slice(0, maxText);
    this.#entries.touch(entry);
  }

  /** So many ms of a response's voice have come. */
  botVoice(responseId: string, ms: number): void {
    if (this.#voice?.responseId !== responseId) this.#voice = { responseId, ms: 0, entry: this.#bot.get(responseId) };
    this.#voice.ms += ms;
  }

  /** The voice that came last was interrupted after it was played for so long. */
  heard(playedMs: number): void {
    const { entry, ms = 0 } = this.#voice ?? {};
    if (entry === undefined || playedMs >= ms) return;
    entry.interrupted = true;
    entry.heard = { ms: Math.round(playedMs), ofMs: Math.round(ms) };
    this.#entries.touch(entry);
  }

  /** Something happened to the connection or the session. */
  note(text: string, at: number): void {
    this.#end(this.#add('note', text.slice(0, maxText), at), { interrupted: false });
  }

  /** The user showed a picture. */
  pictureShown(bytes: number, at: number): void {
    const entry = this.#add('user', '', at);
    entry.pictureBytes = bytes;
    this.#end(entry, { interrupted: false });
  }

  botEnded(responseId: string, options: { interrupted: boolean }): void {
    const entry = this.#bot.get(responseId);
    this.#bot.delete(responseId);
    if (entry !== undefined) this.#end(entry, options);
  }

  /** Nothing more comes. */
  end(): void {
    for (const entry of this.#bot.values()) this.#end(entry, { interrupted: true });
    for (const entry of this.#unheard.values()) this.#end(entry, { interrupted: false });
    this.#bot.clear();
    this.#unheard.clear();
  }

  #add(who: RealtimeTranscriptEntry['who'], text: string, at: number): RealtimeTranscriptEntry {
    this.#last += 1;
    return this.#entries.add({ id: `${who}-${this.#last}`, who, text, partial: true, at });
  }

  #end(entry: RealtimeTranscriptEntry, { interrupted }: { interrupted: boolean }): void {
    entry.partial = false;
    if (interrupted) entry.interrupted = true;
    this.#entries.touch(entry);
  }
}
