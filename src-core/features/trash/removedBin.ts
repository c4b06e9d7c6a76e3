import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import type { Implementation } from '../../contract/implementation.ts';
import { removedKind, type RemovedKind, type RemovedThing, type removed } from '../../contract/removed.ts';
import type { RemovedStore } from '../../store/removedTypes.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import { RequestError } from '../../base/requestError.ts';

/** Things of one kind that are kept; the oldest are deleted permanently. */
const maxKept = 640;
/** Devices that are kept: as many as can be connected, which can be forgotten at once. */
const maxKeptDevices = 10_240;
/** ms for which a removed thing can be restored: 7 days. */
const keptMs = 7 * 24 * 3_600_000;
/** Characters of all removed texts together: files, scripts. The oldest are deleted permanently. */
const maxLength = 64_000_000;

const placeSchema = z.object({
  kind: removedKind.exclude(['picture']),
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

/** The data that a kind of thing is restored from. */
export interface RemovedPlace {
  /** The entry's id: a kind may store data other than text under it. */
  id: string;
  of: string;
  file?: string | undefined;
  text?: string | undefined;
}

/** How one kind of thing is restored, and how it is deleted permanently. */
export interface RemovedKindHandler {
  /** Called before the thing leaves the bin; if it rejects, the thing stays in it. */
  restore(place: RemovedPlace): Promise<void> | void;
  discard(place: Omit<RemovedPlace, 'text'>): Promise<void> | void;
  /** Its things are held in memory, and are lost when the workbench closes. */
  inMemory?: boolean;
}

/** Removed items that can be restored: always on disk, so that a crash does not lose them. */
export interface RemovedBin extends Implementation<typeof removed> {
  /** Registers how things of a kind are restored and deleted. */
  handle(kind: RemovedKind, how: RemovedKindHandler): void;
  has(kind: RemovedKind, of: string): boolean;
  /** Returns its id. Called before the thing is removed, so that a crash between the two loses nothing. */
  put(thing: { kind: RemovedKind; name: string; of: string; file?: string; text?: string; id?: string }): string;
  /** Takes out a thing that was not removed after all, or that its kind deleted by itself. */
  takeOut(id: string): void;
  /** Newest first. */
  list(): RemovedThing[];
  /** @throws {RequestError} If it was deleted permanently, or its place is taken. */
  restore(thing: { id: string }): Promise<RemovedThing>;
  /** Deletes one item permanently, or all. */
  discard(which: { id?: string | undefined }): Promise<void>;
  /** Deletes all items of a kind permanently. */
  empty(kind: RemovedKind): Promise<void>;
}

interface RemovedBinOptions {
  store: RemovedStore;
  now?: () => number;
  onChange: (kind: RemovedKind) => void;
  onError: (error: unknown) => void;
}

/**
 * Keeps what was removed in the store: of each kind the 640 newest (10,240 devices) of the last 7 days, and 64 million
 * characters of texts. An entry that cannot be read (another version, an edited file) is skipped and reported to `onError`.
 */
export function createRemovedBin(options: RemovedBinOptions): RemovedBin {
  const { store, now = Date.now, onChange, onError } = options;
  const kinds = new Map<RemovedKind, RemovedKindHandler>();
  /** Newest first. */
  let entries = loadEntries(store, onError);
  /** Those that are being restored: concurrent requests for them are rejected. */
  const busy = new Set<string>();

  const isInMemory = ({ kind }: Entry): boolean => kinds.get(kind)?.inMemory === true;

  const withinBounds = (all: readonly Entry[]): Entry[] => entriesWithinBounds(all, now());
  function takeOut(id: string): void {
    const entry = entries.find((each) => each.id === id);
    if (entry === undefined) return;
    store.remove([id]);
    entries = entries.filter((each) => each !== entry);
    onChange(entry.kind);
  }

  /** Deletes entries permanently. A failure is reported to `onError`. */
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
    const kept = new Set(withinBounds(entries));
    if (kept.size < entries.length) letGo(entries.filter((entry) => !kept.has(entry))).catch(onError);
  }

  const view = (entry: Entry): RemovedThing => viewOf(entry, isInMemory(entry));

  return {
    handle(kind, how) {
      kinds.set(kind, how);
      const kept = new Set(withinBounds(entries));
      letGo(entries.filter((entry) => entry.kind === kind && !kept.has(entry))).catch(onError);
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
    async restore({ id }) {
      const entry = withinBounds(entries).find((each) => each.id === id);
      if (entry === undefined || busy.has(id))
        throw new RequestError('It cannot be restored: it was deleted permanently.', { field: 'id' });
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
    discard: ({ id }) => letGo(entries.filter((entry) => id === undefined || entry.id === id)),
    empty: (kind) => letGo(entries.filter((entry) => entry.kind === kind)),
  };
}

function loadEntries(store: RemovedStore, onError: (error: unknown) => void): Entry[] {
  const unread: string[] = [];
  const read = store.list().flatMap(({ id, place, length }): Entry[] => {
    const { data } = placeSchema.safeParse(place);
    if (data !== undefined) return [{ ...data, id, length }];
    unread.push(id);
    return [];
  });
  if (unread.length > 0) onError(new Error('Some items in the trash cannot be read and were deleted.'));
  unlessStorageFails(() => store.remove(unread));
  return read;
}

/** The entries that fit into the limits. */
function entriesWithinBounds(all: readonly Entry[], now: number): Entry[] {
  let length = 0;
  const counts = new Map<RemovedKind, number>();
  return all.filter((entry) => {
    length += entry.length;
    const count = (counts.get(entry.kind) ?? 0) + 1;
    counts.set(entry.kind, count);
    const most = entry.kind === 'device' ? maxKeptDevices : maxKept;
    return count <= most && length <= maxLength && entry.at > now - keptMs;
  });
}

function viewOf(entry: Entry, isInMemory: boolean): RemovedThing {
  return {
    id: entry.id,
    kind: entry.kind,
    name: entry.name,
    at: entry.at,
    of: entry.of,
    ...(entry.file !== undefined && { file: entry.file }),
    ...(isInMemory && { untilClosed: true as const }),
  };
}
