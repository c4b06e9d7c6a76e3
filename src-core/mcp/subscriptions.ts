import { setTimeout as wait } from 'node:timers/promises';

import {
  ProtocolError,
  ProtocolErrorCode,
  UnauthorizedError,
  type McpSubscription,
} from '@modelcontextprotocol/client';

import { isJsonObject, type JsonObject } from '../base/json.ts';
import { OneAfterAnother } from '../base/oneAfterAnother.ts';
import type { Link } from './openLink.ts';

/** The changes to which a connection subscribes. */
export interface Subscriptions {
  add(uri: string): Promise<void>;
  remove(uri: string): Promise<void>;
  close(): void;
}

const finalCodes = new Set<number>([ProtocolErrorCode.MethodNotFound, ProtocolErrorCode.InvalidParams]);
const firstRetryMs = 500;
const longestRetryMs = 30_000;
/** ms of a stream after which the delays start again. */
const steadyMs = 60_000;

/**
 * Of a modern server: one `subscriptions/listen` stream for the lists and all resources. It is opened again if it drops, or if
 * it could not be opened at first; `onGap` is called then, since changes may have been missed.
 */
export function listenToChanges(
  link: Link,
  capabilities: JsonObject,
  { onGap, signIn }: { onGap: () => void; signIn: (signal: AbortSignal) => Promise<void> },
): Subscriptions {
  const uris = new Set<string>();
  const closing = new AbortController();
  // Two streams that are opened at the same time would both stay open.
  const turns = new OneAfterAnother();
  let current: McpSubscription | undefined;
  let retryMs = firstRetryMs;

  const filterOf = (): JsonObject => ({
    ...(announces(capabilities, 'tools') && { toolsListChanged: true }),
    ...(announces(capabilities, 'prompts') && { promptsListChanged: true }),
    ...(announces(capabilities, 'resources') && { resourcesListChanged: true }),
    ...(uris.size > 0 && { resourceSubscriptions: [...uris] }),
  });
  /** The new stream is open before the old one is closed, so that nothing is missed. */
  const open = async (): Promise<void> => {
    const filter = filterOf();
    const before = current;
    const isEmpty = Object.keys(filter).length === 0;
    current = isEmpty ? undefined : await link.client.listen(filter, { signal: closing.signal });
    if (current) void watch(current);
    await before?.close();
  };
  const watch = async (stream: McpSubscription): Promise<void> => {
    const openedAt = performance.now();
    const how = await stream.closed;
    if (how === 'local' || stream !== current) return;
    current = undefined;
    if (performance.now() - openedAt >= steadyMs) retryMs = firstRetryMs;
    await reopen();
  };
  /** Tries until there is a stream: its own, or one that a further subscription has opened. */
  const reopen = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        const ms = retryMs;
        retryMs = Math.min(2 * ms, longestRetryMs);
        await wait(ms, undefined, { signal: closing.signal });
        await turns.run(() => (current ? Promise.resolve() : open()));
        return onGap();
      } catch (error) {
        // The next try is later; an end of the connection ends the tries.
        if (UnauthorizedError.isInstance(error)) await signIn(closing.signal).catch(() => undefined);
      }
    }
  };
  turns.run(open).catch((error: unknown) => {
    link.client.onerror?.(error instanceof Error ? error : new Error(String(error)));
    // A server without such streams, or one that does not take the filter, would refuse it again.
    const isFinal = ProtocolError.isInstance(error) && finalCodes.has(error.code);
    if (!isFinal) void reopen();
  });
  return {
    add: (uri) =>
      turns.run(async () => {
        if (uris.has(uri)) return;
        uris.add(uri);
        try {
          await open();
        } catch (error) {
          // A stream that asks for it would be refused again.
          uris.delete(uri);
          throw error;
        }
      }),
    remove: (uri) =>
      turns.run(async () => {
        if (uris.delete(uri)) await open();
      }),
    close: () => closing.abort(),
  };
}

function announces(capabilities: JsonObject, list: string): boolean {
  const capability = capabilities[list];
  return isJsonObject(capability) && capability['listChanged'] === true;
}
