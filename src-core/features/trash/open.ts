import type { FeatureContext } from '../context.ts';
import { createRemovedBin } from './removedBin.ts';
import { createRemovedKeys } from './removedKeys.ts';
import { capturesWithoutRemoved, chatsWithoutRemoved } from './withoutRemoved.ts';

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
