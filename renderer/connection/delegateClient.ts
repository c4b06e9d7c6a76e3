import { createORPCClient } from '@orpc/client';

import type { Client } from '../../src-core/api/client.ts';
import type { Line } from './line.ts';

type Procedure = (input: unknown, options: unknown) => Promise<unknown>;

/** A client that hands every call to whichever line `current` gives at that moment. */
export function delegateClient(current: () => Promise<Line>): Client {
  return createORPCClient<Client>({
    call: async (path, input, options) => {
      const line = await current();
      let node: unknown = line.client;
      for (const name of path) node = Reflect.get(node as object, name);
      return (node as Procedure)(input, options);
    },
  });
}
