import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import {
  storedEndpoint,
  type ChosenTools,
  type endpoint as endpointContract,
  type EndpointInfo,
  type StoredEndpoint,
} from '../../contract/endpoint.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { KeyValueStore } from '../../store/types.ts';
import { countTokens } from '../chat/countTokens.ts';
import type { FeatureContext } from '../context.ts';
import type { ExportedTool } from '../hosts/exportedTools.ts';
import type { HostOffer } from '../hosts/hostServer.ts';
import type { Hosts } from '../hosts/service.ts';
import { EndpointConnection } from './endpointConnection.ts';
import { EndpointPeer, plainTool } from './endpointPeer.ts';

const settingsKey = 'endpoints';
const maxEndpoints = 16;

/** One endpoint that is kept. */
interface Kept {
  stored: StoredEndpoint;
  connection?: EndpointConnection;
  offer: HostOffer;
  stopFollowing: () => void;
  calls: number;
}

/** Serves chosen tools at the MCP endpoints of xiaozhi agents. */
export function openEndpoint({
  store: { settings: store },
  secrets,
  hosts: { everyTool, offerChosen },
  events,
  clock,
  onError,
  connects,
}: Pick<FeatureContext, 'events' | 'clock' | 'onError'> & {
  store: { settings: Pick<KeyValueStore, 'get' | 'set'> };
  secrets: SecretStore;
  hosts: Hosts;
  /** False in a workbench that a terminal starts for one command: it would take the connection of the next start. */
  connects: boolean;
}) {
  const onChange = (): void => void events.emit('changed', 'endpoints');
  const kept = new Map<string, Kept>();
  /** Addresses are read and compared one after the other. */
  let turn: Promise<unknown> = Promise.resolve();
  for (const stored of load()) keep(stored);

  function load(): StoredEndpoint[] {
    const parsed = z.array(storedEndpoint).safeParse(store.get(settingsKey) ?? []);
    if (!parsed.success) onError(parsed.error, 'the endpoints');
    return parsed.data ?? [];
  }

  function save(): void {
    store.set(
      settingsKey,
      Array.from(kept.values(), ({ stored }) => stored),
    );
    onChange();
  }

  function keep(stored: StoredEndpoint): Kept {
    const one: Kept = {
      stored,
      offer: offerChosen((tool) => isChosen(one.stored.chosen, tool)),
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

  function find(id: string): Kept {
    const found = kept.get(id);
    if (found === undefined) throw new RequestError(localize('endpoint.unknown'), { field: 'id' });
    return found;
  }

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = turn.then(run);
    turn = result.catch(() => undefined);
    return result;
  }

  /** @throws {RequestError} If another endpoint has this address. */
  async function checkUnused(url: string, ownId: string | undefined): Promise<void> {
    for (const { stored } of kept.values()) {
      if (stored.id === ownId || (await secrets.get(secretName(stored.id))) !== url) continue;
      throw new RequestError(localize('endpoint.sameToken', { label: stored.label }), { field: 'url' });
    }
  }

  async function connect(one: Kept): Promise<void> {
    if (!connects) return;
    const url = await secrets.get(secretName(one.stored.id));
    if (url === undefined) throw new RequestError(localize('endpoint.unreadable'));
    // It may have been switched off or removed meanwhile.
    if (kept.get(one.stored.id) !== one || !one.stored.enabled) return;
    one.connection?.stop();
    one.connection = new EndpointConnection({
      url,
      clock,
      onChange,
      createPeer: ({ send, onIdle }) =>
        new EndpointPeer({
          offer: {
            tools: one.offer.tools,
            call: (call) => {
              one.calls += 1;
              onChange();
              return one.offer.call(call);
            },
          },
          caller: { id: `endpoint:${one.stored.id}`, name: one.stored.label },
          limits: () => one.stored,
          clock,
          send,
          onIdle,
          onError,
        }),
    });
    one.connection.start();
  }

  function infoOf({ stored, connection, offer, calls }: Kept): EndpointInfo {
    const tools = offer.tools();
    return {
      ...stored,
      ...(connection?.state ?? { state: 'off' as const }),
      toolCount: tools.length,
      listTokens: countTokens(JSON.stringify(tools.map(plainTool))),
      calls,
    };
  }

  const service = {
    list: () => Array.from(kept.values(), infoOf),
    tools: () =>
      everyTool().map((tool) => ({
        name: tool.tool.name,
        description: tool.tool.description ?? '',
        source: sourceOf(tool),
        sourceLabel: tool.source.label,
      })),
    add: ({ url, label, maxResultBytes = 1_024, timeoutMs = 28_000, ...rest }) =>
      inTurn(async () => {
        const place = maskAddress(url);
        if (kept.size >= maxEndpoints) throw new RequestError(localize('endpoint.tooMany', { most: maxEndpoints }));
        await checkUnused(url, undefined);
        const id = randomUUID();
        await secrets.set(secretName(id), url);
        const one = keep({ id, place, label: label ?? new URL(place).host, maxResultBytes, timeoutMs, ...rest });
        save();
        if (one.stored.enabled) await connect(one);
        return { id };
      }),
    change: ({ id, url, ...fields }) =>
      inTurn(async () => {
        const one = find(id);
        const place = url === undefined ? {} : { place: maskAddress(url) };
        if (url !== undefined) {
          await checkUnused(url, id);
          await secrets.set(secretName(id), url);
        }
        const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
        one.stored = { ...one.stored, ...given, ...place };
        save();
        if (url !== undefined && one.stored.enabled) await connect(one);
        else if (fields.chosen !== undefined) one.connection?.republish();
      }),
    connect: ({ id }) =>
      inTurn(async () => {
        const one = find(id);
        one.stored = { ...one.stored, enabled: true };
        save();
        await connect(one);
      }),
    disconnect({ id }) {
      const one = find(id);
      one.stored = { ...one.stored, enabled: false };
      one.connection?.stop();
      save();
    },
    remove: ({ id }) =>
      inTurn(async () => {
        const one = find(id);
        leave(one);
        kept.delete(id);
        save();
        await secrets.delete(secretName(id));
      }),
  } satisfies Implementation<typeof endpointContract>;

  return {
    service,
    /** Connects those that were connected when Toolwire ended. */
    async connectAll(): Promise<void> {
      for (const one of kept.values())
        if (one.stored.enabled) await connect(one).catch((error: unknown) => onError(error, 'connecting an endpoint'));
    },
    close(): void {
      for (const one of kept.values()) leave(one);
      kept.clear();
    },
  };

  function leave(one: Kept): void {
    one.stopFollowing();
    one.connection?.stop();
  }
}

function isChosen({ all, sources, tools }: ChosenTools, tool: ExportedTool): boolean {
  return all || sources.includes(sourceOf(tool)) || tools.includes(tool.tool.name);
}

function sourceOf({ source }: ExportedTool): string {
  return `${source.kind}:${source.id}`;
}

function secretName(id: string): string {
  return `endpoint:${id}`;
}

/** An address without what may be a token. @throws {RequestError} If it is no WebSocket URL. */
function maskAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^wss?:$/.test(url.protocol))
    throw new RequestError(localize('endpoint.badUrl'), { field: 'url' });
  const hasSecret = url.search !== '' || url.username !== '' || url.password !== '';
  return `${url.protocol}//${url.host}${url.pathname}${hasSecret ? '?***' : ''}`;
}
