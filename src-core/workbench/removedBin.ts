import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import type { RemovedThing } from '../api/types.ts';
import type { KeyValueStore } from '../store/types.ts';
import { RequestError } from '../tools/requestError.ts';

const key = 'removed';
/** Things kept; the oldest go for good. */
const maxKept = 20;
/** ms that a removed thing can be brought back: 7 days. */
const keptMs = 7 * 24 * 3_600_000;
/** Characters of a removed file that is kept. */
const maxText = 500_000;

const entrySchema = z.object({
  id: z.string(),
  kind: z.enum(['chat', 'capture', 'file']),
  name: z.string(),
  at: z.number(),
  /** Of a chat or capture its id, of a file its folder. */
  of: z.string(),
  /** Of a file. */
  file: z.string().optional(),
  text: z.string().optional(),
});
type Entry = z.infer<typeof entrySchema>;
type Kind = Entry['kind'];
type Place = Pick<Entry, 'of' | 'file' | 'text'>;

/** How one kind of thing comes back, and how it goes for good. */
export interface RemovedKind {
  /** Called before the thing leaves the bin; where it rejects, the thing stays in it. */
  restore(place: Place): Promise<void> | void;
  discard(place: Place): void;
}

/** What was removed and can still be brought back: on disk all the time, so that no crash loses it. */
export interface RemovedBin {
  /** Says once how things of a kind come back and go. */
  handle(kind: Kind, how: RemovedKind): void;
  has(kind: Kind, of: string): boolean;
  /** Its id; undefined where it is too large to be kept: then nothing was done. */
  put(thing: { kind: Kind; name: string } & Place): string | undefined;
  /** Takes a thing out that was not removed after all. */
  takeOut(id: string): void;
  /** Newest first. */
  list(): RemovedThing[];
  /** @throws RequestError where it is gone for good, or where something stands in its place. */
  restore(id: string): Promise<RemovedThing>;
  /** Lets things go for good: all, or those of one kind. */
  discard(kind?: Kind): void;
}

/**
 * Keeps what was removed in the store, the 20 newest of the last 7 days. What another version or hand wrote and cannot be
 * read counts as nothing; `onError` hears of it.
 */
export function createRemovedBin(options: {
  store: KeyValueStore;
  now?: () => number;
  onChange: () => void;
  onError: (error: unknown) => void;
}): RemovedBin {
  const { store, now = Date.now, onChange, onError } = options;
  const kinds = new Map<Kind, RemovedKind>();
  let entries: Entry[] = [];
  try {
    entries = z.array(entrySchema).parse(store.get(key) ?? []);
  } catch (cause) {
    onError(new Error('The list of what was removed is not valid; it starts afresh.', { cause }));
  }

  function keep(next: Entry[]): void {
    const gone = entries.filter((entry) => !next.includes(entry));
    entries = next;
    store.set(
      key,
      entries.map(({ file, text, ...entry }) => ({
        ...entry,
        ...(file !== undefined && { file }),
        ...(text !== undefined && { text }),
      })),
    );
    for (const { kind, ...place } of gone) kinds.get(kind)?.discard(place);
    onChange();
  }
  function takeOut(id: string): void {
    entries = entries.filter((entry) => entry.id !== id);
    keep(entries);
  }
  const live = (): Entry[] => entries.filter(({ at }) => at > now() - keptMs).slice(0, maxKept);
  const view = ({ id, kind, name, at, of, file }: Entry): RemovedThing => ({
    ...{ id, kind, name, at, of },
    ...(file !== undefined && { file }),
  });

  return {
    handle(kind, how) {
      kinds.set(kind, how);
      if (live().length < entries.length) keep(live());
    },
    has: (kind, of) => entries.some((entry) => entry.kind === kind && entry.of === of),
    put({ text, file, ...thing }) {
      if ((text?.length ?? 0) > maxText) return undefined;
      const added: Entry = {
        ...{ ...thing, id: randomUUID(), at: now() },
        ...(file !== undefined && { file }),
        ...(text !== undefined && { text }),
      };
      entries = [added, ...entries];
      keep(live());
      return added.id;
    },
    takeOut,
    list: () => live().map(view),
    async restore(id) {
      const entry = live().find((each) => each.id === id);
      if (entry === undefined) {
        throw new RequestError('It cannot be brought back any more: it was removed for good.', { field: 'id' });
      }
      await kinds.get(entry.kind)?.restore(entry);
      takeOut(id);
      return view(entry);
    },
    discard(kind) {
      keep(kind === undefined ? [] : entries.filter((entry) => entry.kind !== kind));
    },
  };
}
