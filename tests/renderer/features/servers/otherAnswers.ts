import type { Connection } from '../../../../renderer/client/connection.ts';

type Servers = Connection['client']['servers'];

/** The connection of a window on which some requests about servers have other answers. */
export function otherAnswers(
  connection: Connection,
  answers: Partial<Record<keyof Servers, () => unknown>>,
): Connection {
  const { client } = connection;
  const servers = new Proxy(client.servers, {
    get: (all, key) => (answers as Record<string | symbol, unknown>)[key] ?? Reflect.get(all, key),
  });
  const other = new Proxy(client, { get: (all, key) => (key === 'servers' ? servers : Reflect.get(all, key)) });
  return { ...connection, client: other };
}
