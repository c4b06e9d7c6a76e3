import type { Clock } from '../../base/clock.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ServerDetail } from '../../contract/servers.ts';
import type { McpConnection } from '../../mcp/types.ts';

const most = 100;

/** The resources of a server whose changes are reported, over all of its connections. */
export interface ResourceSubscriptions {
  list(): ServerDetail['subscriptions'];
  /** Starts or ends the reports. @throws {RequestError} If there are 100 already. */
  set(connection: McpConnection, uri: string, isOn: boolean, signal: AbortSignal): Promise<void>;
  /** Counts the reports of a new connection, and asks it for those of the earlier one. What fails is reported and dropped. */
  resume(connection: McpConnection, signal: AbortSignal, onError: (error: unknown) => void): Promise<void>;
}

export function createResourceSubscriptions({
  clock,
  onChange,
}: {
  clock: Pick<Clock, 'wall'>;
  onChange: () => void;
}): ResourceSubscriptions {
  const subscribed = new Map<string, ServerDetail['subscriptions'][number]>();
  return {
    list: () => [...subscribed.values()],
    async set(connection, uri, isOn, signal) {
      if (isOn && subscribed.size >= most) throw new RequestError(localize('servers.tooManySubscriptions', { most }));
      if (isOn) {
        await connection.subscribe(uri, signal);
        subscribed.set(uri, subscribed.get(uri) ?? { uri, updates: 0 });
      } else {
        subscribed.delete(uri);
        await connection.unsubscribe(uri, signal);
      }
      onChange();
    },
    async resume(connection, signal, onError) {
      connection.onResourceUpdated((uri) => {
        const known = subscribed.get(uri);
        if (known === undefined) return;
        subscribed.set(uri, { uri, updates: known.updates + 1, updatedAt: clock.wall() });
        onChange();
      });
      const again = [...subscribed.keys()].map((uri) =>
        connection.subscribe(uri, signal).catch((error: unknown) => {
          // The next connection asks again.
          if (signal.aborted) return;
          subscribed.delete(uri);
          onError(error);
          onChange();
        }),
      );
      await Promise.all(again);
    },
  };
}
