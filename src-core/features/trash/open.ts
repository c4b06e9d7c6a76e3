import type { ChatTable } from '../../store/chatTypes.ts';
import type { CaptureStore } from '../../store/frameTypes.ts';
import type { FeatureContext } from '../context.ts';
import { createRemovedBin, type RemovedBin } from './removedBin.ts';
import { createRemovedKeys } from './removedKeys.ts';

/** What the other features use of the trash. */
export type Trash = Omit<ReturnType<typeof openTrash>, 'service'>;

/** Opens the trash: what was removed, and the stores without it. */
export function openTrash({ store, events, settings, onError, secrets }: FeatureContext) {
  const bin = createRemovedBin({
    store: store.removed,
    onChange(kind) {
      events.emit('changed', 'removed');
      if (kind === 'chat') events.emit('changed', 'chats');
      if (kind === 'capture') events.emit('changed', 'captures');
      if (kind === 'server') events.emit('changed', 'servers');
    },
    onError,
  });
  return {
    service: bin,
    bin,
    keys: createRemovedKeys({
      bin,
      secrets,
      onChange: (name) => events.emit('changed', name.startsWith('model:') ? 'models' : 'realtime'),
    }),
    chats: chatsWithoutRemoved(store.chats, bin),
    captures: capturesWithoutRemoved(store.captures, bin, () => settings().captureLimitMb),
  };
}

/** The chats that are not in the bin; removing one moves it there, with all of its data. */
function chatsWithoutRemoved(chats: ChatTable, bin: RemovedBin): ChatTable {
  bin.handle('chat', { restore: () => undefined, discard: ({ of }) => void chats.remove(of) });
  const get: ChatTable['get'] = (id) => (bin.has('chat', id) ? undefined : chats.get(id));
  return withChanged(chats, {
    list: () => chats.list().filter(({ id }) => !bin.has('chat', id)),
    get,
    remove(id) {
      const row = get(id);
      if (row === undefined) return false;
      bin.put({ kind: 'chat', name: titleOf(row.record), of: id });
      return true;
    },
  });
}

/** The captures that are not in the bin. Those in it are deleted permanently if others need the space. */
function capturesWithoutRemoved(captures: CaptureStore, bin: RemovedBin, limitMb: () => number): CaptureStore {
  bin.handle('capture', { restore: () => undefined, discard: ({ of }) => captures.remove(of) });
  return withChanged(captures, {
    list: async () => (await captures.list()).filter(({ id }) => !bin.has('capture', id)),
    get: async (id) => (bin.has('capture', id) ? undefined : captures.get(id)),
    async bytes() {
      if ((await captures.bytes()) > limitMb() * 1_000_000) await bin.empty('capture');
      return captures.bytes();
    },
  });
}

/** A store with some methods of its own. A store's methods are made when they are named, so they cannot be spread. */
function withChanged<T extends object>(store: T, changed: Partial<T>): T {
  return Object.assign(Object.create(store) as T, changed);
}

function titleOf(record: string): string {
  const { title } = JSON.parse(record) as { title?: unknown };
  return typeof title === 'string' ? title.slice(0, 200) : '';
}
