import { localize } from '../../base/messages/localize.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { RequestError } from '../../base/requestError.ts';
import { storedEndpoint, type StoredEndpoint } from '../../contract/endpoint.ts';
import { readStoredList } from '../../store/readStoredList.ts';
import type { KeyValueStore } from '../../store/types.ts';
import type { HostOffer } from '../hosts/hostServer.ts';
import type { Hosts } from '../hosts/service.ts';
import type { EndpointConnection } from './endpointConnection.ts';

const settingsKey = 'endpoints';

/** One endpoint that is kept. */
export interface KeptEndpoint {
  stored: StoredEndpoint;
  connection?: EndpointConnection;
  offer: HostOffer;
  stopFollowing: () => void;
  calls: number;
}

/** The endpoints, and what each offers. Reads the stored ones. */
export function createEndpointBook(options: {
  store: Pick<KeyValueStore, 'get' | 'set'>;
  offerChosen: Hosts['offerChosen'];
  onChange: () => void;
  onError: ErrorReporter;
}) {
  const { store, offerChosen, onChange, onError } = options;
  const kept = new Map<string, KeptEndpoint>();
  const read = readStoredList(store.get(settingsKey), { item: storedEndpoint, where: 'the endpoints', onError });
  for (const stored of read.items) keep(stored);

  function keep(stored: StoredEndpoint): KeptEndpoint {
    const one: KeptEndpoint = {
      stored,
      offer: offerChosen(() => one.stored.chosen),
      stopFollowing: () => undefined,
      calls: 0,
    };
    // The other side ignores list_changed: it reads the list once for each connection.
    one.stopFollowing = one.offer.onChange(() => {
      one.connection?.republish();
      onChange();
    });
    kept.set(stored.id, one);
    return one;
  }

  function leave(one: KeptEndpoint): void {
    one.stopFollowing();
    one.connection?.stop();
    kept.delete(one.stored.id);
  }

  return {
    kept: kept as ReadonlyMap<string, KeptEndpoint>,
    keep,
    /** Disconnects an endpoint and forgets it. */
    leave,
    /** @throws {RequestError} If there is none of that id. */
    find(id: string): KeptEndpoint {
      const found = kept.get(id);
      if (found === undefined) throw new RequestError(localize('endpoint.unknown'), { field: 'id' });
      return found;
    },
    save(): void {
      store.set(settingsKey, read.stored(Array.from(kept.values(), ({ stored }) => stored)));
      onChange();
    },
    close(): void {
      for (const one of kept.values()) leave(one);
    },
  };
}

export type EndpointBook = ReturnType<typeof createEndpointBook>;
