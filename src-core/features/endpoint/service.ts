import { randomUUID } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import { OneAfterAnother } from '../../base/oneAfterAnother.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { endpoint as endpointContract, EndpointInfo } from '../../contract/endpoint.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { KeyValueStore } from '../../store/types.ts';
import { countTokens } from '../../base/countTokens.ts';
import type { FeatureContext } from '../context.ts';
import { renameChosen, sourceOf } from '../hosts/chosenTools.ts';
import type { Hosts } from '../hosts/service.ts';
import { createEndpointAddresses, maskAddress } from './endpointAddresses.ts';
import { createEndpointBook, type EndpointBook, type KeptEndpoint } from './endpointBook.ts';
import { EndpointConnection } from './endpointConnection.ts';
import { EndpointPeer, plainTool } from './endpointPeer.ts';

const maxEndpoints = 16;

interface EndpointDeps extends Pick<FeatureContext, 'events' | 'clock' | 'onError'> {
  store: { settings: Pick<KeyValueStore, 'get' | 'set'> };
  secrets: SecretStore;
  hosts: Hosts;
  /** This is false in a workbench that a terminal starts for one command: it would take the connection of the next start. */
  connects: boolean;
}

/** Serves chosen tools at the MCP endpoints of xiaozhi agents. */
export function openEndpoint({ store, secrets, hosts, events, clock, onError, connects }: EndpointDeps) {
  const onChange = (): void => void events.emit('changed', 'endpoints');
  const book = createEndpointBook({ store: store.settings, offerChosen: hosts.offerChosen, onChange, onError });
  const addresses = createEndpointAddresses({ secrets, book });
  const createConnection = connectionMaker({ clock, log: hosts.log, onChange, onError });

  async function connect(one: KeptEndpoint): Promise<void> {
    if (!connects) return;
    const url = await addresses.get(one.stored.id);
    if (url === undefined) throw new RequestError(localize('endpoint.unreadable'));
    // It may have been switched off or removed meanwhile.
    if (book.kept.get(one.stored.id) !== one || !one.stored.enabled) return;
    one.connection?.stop();
    one.connection = createConnection(one, url);
    one.connection.start();
  }

  return {
    service: {
      list: () =>
        Array.from(book.kept.values(), (one) => ({
          ...infoOf(one),
          chosen: renameChosen(one.stored.chosen, hosts.everyTool()),
        })),
      tools: () =>
        hosts.everyTool().map((exported) => ({
          name: exported.tool.name,
          description: exported.tool.description ?? '',
          source: sourceOf(exported),
          sourceLabel: exported.source.label,
          tokens: countTokens(JSON.stringify(plainTool(exported.tool))),
        })),
      ...changes({ book, addresses, connect, log: hosts.log }),
    } satisfies Implementation<typeof endpointContract>,
    /** Connects those that were connected when Toolwire ended. */
    async connectAll(): Promise<void> {
      for (const one of book.kept.values())
        if (one.stored.enabled) await connect(one).catch((error: unknown) => onError(error, 'connecting an endpoint'));
    },
    close: book.close,
  };
}

/** The procedures that change endpoints. Addresses are read and compared one after the other. */
function changes(parts: {
  book: EndpointBook;
  addresses: ReturnType<typeof createEndpointAddresses>;
  connect: (one: KeptEndpoint) => Promise<void>;
  log: Hosts['log'];
}) {
  const { book, addresses, connect, log } = parts;
  const turns = new OneAfterAnother();
  return {
    add: ({ url, label, maxResultBytes = 1_024, timeoutMs = 28_000, ...rest }) =>
      turns.run(async () => {
        const place = maskAddress(url);
        if (book.kept.size >= maxEndpoints)
          throw new RequestError(localize('endpoint.tooMany', { most: maxEndpoints }));
        const id = randomUUID();
        await addresses.set(id, url);
        const one = book.keep({ id, place, label: label ?? new URL(place).host, maxResultBytes, timeoutMs, ...rest });
        book.save();
        if (one.stored.enabled) await connect(one);
        return { id };
      }),
    change: ({ id, url, ...fields }) =>
      turns.run(async () => {
        const one = book.find(id);
        const place = url === undefined ? {} : { place: maskAddress(url) };
        if (url !== undefined) await addresses.set(id, url);
        const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
        one.stored = { ...one.stored, ...given, ...place };
        book.save();
        if (url !== undefined && one.stored.enabled) await connect(one);
        else if (fields.chosen !== undefined) one.connection?.republish();
      }),
    connect: ({ id }) =>
      turns.run(async () => {
        const one = book.find(id);
        one.stored = { ...one.stored, enabled: true };
        book.save();
        await connect(one);
      }),
    disconnect({ id }) {
      const one = book.find(id);
      one.stored = { ...one.stored, enabled: false };
      one.connection?.stop();
      book.save();
    },
    remove: ({ id }) =>
      turns.run(async () => {
        book.leave(book.find(id));
        book.save();
        await addresses.remove(id);
        await log.forget(hostIdOf(id));
      }),
  } satisfies Partial<Implementation<typeof endpointContract>>;
}

/** The id under which the calls and frames of an endpoint are listed. */
function hostIdOf(id: string): string {
  return `endpoint:${id}`;
}

function connectionMaker(options: {
  clock: Clock;
  log: Hosts['log'];
  onChange: () => void;
  onError: EndpointDeps['onError'];
}): (one: KeptEndpoint, url: string) => EndpointConnection {
  const { clock, log, onChange, onError } = options;
  return (one, url) =>
    new EndpointConnection({
      url,
      clock,
      onChange,
      record: () => log.of(hostIdOf(one.stored.id)),
      createPeer: ({ send, onIdle }) =>
        new EndpointPeer({
          offer: {
            ...one.offer,
            call: (call) => {
              one.calls += 1;
              onChange();
              return one.offer.call(call);
            },
          },
          caller: { id: hostIdOf(one.stored.id), name: one.stored.label },
          limits: () => one.stored,
          clock,
          send,
          onIdle,
          onError,
        }),
    });
}

function infoOf({ stored, connection, offer, calls }: KeptEndpoint): EndpointInfo {
  const tools = offer.tools();
  return {
    ...stored,
    ...(connection?.state ?? { state: 'off' as const }),
    toolCount: tools.length,
    listTokens: countTokens(JSON.stringify(tools.map(plainTool))),
    calls,
  };
}
