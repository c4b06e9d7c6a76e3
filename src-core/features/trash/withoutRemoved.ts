import type { ChatStore } from '../../store/chatTypes.ts';
import type { CaptureStore } from '../../store/frameTypes.ts';
import type { RemovedBin } from './removedBin.ts';

/** The chats that are not in the bin; removing one moves it there, with all of its data. */
export function chatsWithoutRemoved(chats: ChatStore, bin: RemovedBin): ChatStore {
  bin.handle('chat', { restore: () => undefined, discard: ({ of }) => void chats.remove(of) });
  const get: ChatStore['get'] = (id) => (bin.has('chat', id) ? undefined : chats.get(id));
  return {
    ...chats,
    list: () => chats.list().filter(({ id }) => !bin.has('chat', id)),
    get,
    remove(id) {
      const row = get(id);
      if (row === undefined) return false;
      bin.put({ kind: 'chat', name: titleOf(row.record), of: id });
      return true;
    },
  };
}

/** The captures that are not in the bin. Those in it are deleted permanently if others need the space. */
export function capturesWithoutRemoved(captures: CaptureStore, bin: RemovedBin, limitMb: () => number): CaptureStore {
  bin.handle('capture', { restore: () => undefined, discard: ({ of }) => captures.remove(of) });
  return {
    ...captures,
    list: () => captures.list().filter(({ id }) => !bin.has('capture', id)),
    get: (id) => (bin.has('capture', id) ? undefined : captures.get(id)),
    bytes() {
      if (captures.bytes() > limitMb() * 1_000_000) void bin.empty('capture');
      return captures.bytes();
    },
  };
}

function titleOf(record: string): string {
  const { title } = JSON.parse(record) as { title?: unknown };
  return typeof title === 'string' ? title.slice(0, 200) : '';
}
