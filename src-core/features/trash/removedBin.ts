import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import type { RemovedKind, RemovedThing } from '../../contract/types.ts';
import type { RemovedStore } from '../../store/removedTypes.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import { RequestError } from '../../base/requestError.ts';

/** Things kept; the oldest go for good. */
const maxKept = 50;
/** ms that a removed thing can be brought back: 7 days. */
const keptMs = 7 * 24 * 3_600_000;
/** Characters of all removed texts together: files, scripts. The oldest go for good. */
const maxLength = 64_000_000;

const placeSchema = z.object({
  kind: z.enum(['chat', 'capture', 'file', 'log', 'device', 'model', 'realtime', 'realtimeModel', 'key', 'gatewayLog']),
  name: z.string(),
  at: z.number(),
  of: z.string(),
  file: z.string().optional(),
});

interface Entry {
  id: string;
  kind: RemovedKind;
  name: string;
  at: number;
  of: string;
  file?: string | undefined;
  length: number;
}

/** What a kind of thing comes back by. */
export interface RemovedPlace {
  /** The entry's id: under it a kind may keep what is no text. */
  id: string;
  of: string;
  file?: string | undefined;
  text?: string | undefined;
}

/** How one kind of thing comes back, and how it goes for good. */
export interface RemovedKindHandler {
  /** Called before the thing leaves the bin; where it rejects, the thing stays in it. */
  restore(place: RemovedPlace): Promise<void> | void;
  discard(place: Omit<RemovedPlace, 'text'>): Promise<void> | void;
  /** Its things are held in memory, and gone when the workbench closes. */
  inMemory?: boolean;
}

/** What was removed and can still be brought back: on disk all the time, so that no crash loses it. */
export interface RemovedBin {
  /** Says once how things of a kind come back and go. */
  handle(kind: RemovedKind, how: RemovedKindHandler): void;
  has(kind: RemovedKind, of: string): boolean;
  /** Its id. Called before the thing goes, so that a crash between the two loses nothing. */
  put(thing: { kind: RemovedKind; name: string; of: string; file?: string; text?: string; id?: string }): string;
  /** Takes a thing out that was not removed after all, or that its kind let go by itself. */
  takeOut(id: string): void;
  /** Newest first. */
  list(): RemovedThing[];
  /** @throws RequestError where it is gone for good, or where something stands in its place. */
  restore(id: string): Promise<RemovedThing>;
  /** Lets things go for good. */
  discard(which: (thing: RemovedThing) => boolean): Promise<void>;
}

/**
 * Keeps what was removed in the store: the 50 newest of the last 7 days, and 64 million characters of texts. What another
 * version or hand wrote and cannot be read counts as nothing; `onError` hears of it.
 */
export function createRemovedBin(options: {
  store: RemovedStore;
  now?: () => number;
  onChange: (kind: RemovedKind) => void;
  onError: (error: unknown) => void;
}): RemovedBin {
  const { store, now = Date.now, onChange, onError } = options;
  const kinds = new Map<RemovedKind, RemovedKindHandler>();
  /** Newest first. */
  let entries = load();
  /** Those that are being brought back: nobody else takes them meanwhile. */
  const busy = new Set<string>();

  function load(): Entry[] {
    const unread: string[] = [];
    const read = store.list().flatMap(({ id, place, length }): Entry[] => {
      const { data } = placeSchema.safeParse(place);
      if (data !== undefined) return [{ ...data, id, length }];
      unread.push(id);
      return [];
    });
    if (unread.length > 0) onError(new Error('Some of what was removed cannot be read; it goes for good.'));
    unlessStorageFails(() => store.remove(unread));
    return read;
  }

  const isInMemory = ({ kind }: Entry): boolean => kinds.get(kind)?.inMemory === true;

  /** What is kept of these: no more than there is room for. */
  function withinBounds(all: readonly Entry[]): Entry[] {
    let length = 0;
    return all.filter((entry, index) => {
      length += entry.length;
      return index < maxKept && length <= maxLength && entry.at > now() - keptMs;
    });
  }

  function takeOut(id: string): void {
    const entry = entries.find((each) => each.id === id);
    if (entry === undefined) return;
    store.remove([id]);
    entries = entries.filter((each) => each !== entry);
    onChange(entry.kind);
  }

  /** Lets these go for good. Of one that cannot go, `onError` hears. */
  async function letGo(gone: readonly Entry[]): Promise<void> {
    const going = gone.filter(({ id }) => !busy.has(id));
    store.remove(going.map(({ id }) => id));
    entries = entries.filter((entry) => !going.includes(entry));
    for (const entry of going) {
      try {
        await kinds.get(entry.kind)?.discard(entry);
      } catch (error) {
        onError(error);
      }
    }
    for (const kind of new Set(going.map((entry) => entry.kind))) onChange(kind);
  }

  function tidy(): void {
    const kept = withinBounds(entries);
    if (kept.length < entries.length) letGo(entries.filter((entry) => !kept.includes(entry))).catch(onError);
  }

  const view = (entry: Entry): RemovedThing => ({
    ...{ id: entry.id, kind: entry.kind, name: entry.name, at: entry.at, of: entry.of },
    ...(entry.file !== undefined && { file: entry.file }),
    ...(isInMemory(entry) && { untilClosed: true as const }),
  });

  return {
    handle(kind, how) {
      kinds.set(kind, how);
      const kept = withinBounds(entries);
      letGo(entries.filter((entry) => entry.kind === kind && !kept.includes(entry))).catch(onError);
    },
    has: (kind, of) => entries.some((entry) => entry.kind === kind && entry.of === of),
    put({ text, id = randomUUID(), ...thing }) {
      const added: Entry = { ...thing, id, at: now(), length: text?.length ?? 0 };
      if (!isInMemory(added)) {
        const { kind, name, at, of, file } = added;
        store.add({ id, text, place: { kind, name, at, of, ...(file !== undefined && { file }) } });
      }
      entries = [added, ...entries];
      tidy();
      onChange(added.kind);
      return id;
    },
    takeOut,
    list: () => withinBounds(entries).map(view),
    async restore(id) {
      const entry = withinBounds(entries).find((each) => each.id === id);
      if (entry === undefined || busy.has(id))
        throw new RequestError('It cannot be brought back any more: it was removed for good.', { field: 'id' });
      const seen = view(entry);
      busy.add(id);
      try {
        await kinds.get(entry.kind)?.restore({ ...entry, text: store.text(id) });
      } finally {
        busy.delete(id);
      }
      takeOut(id);
      return seen;
    },
    discard: (which) => letGo(entries.filter((entry) => which(view(entry)))),
  };
}
