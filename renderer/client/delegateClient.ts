import { createORPCClient } from '@orpc/client';

import type { Client } from '../../src-core/rpc/client.ts';
import { wordEngineError } from '../i18n/engine/wordEngineError.ts';
import type { Line } from './line.ts';

type Procedure = (input: unknown, options: unknown) => Promise<unknown>;

/** A client that hands every call to whichever line `current` gives at that moment, and fails in the window's language. */
export function delegateClient(current: () => Promise<Line>): Client {
  return createORPCClient<Client>({
    call: async (path, input, options) => {
      const line = await current();
      let node: unknown = line.client;
      for (const name of path) node = Reflect.get(node as object, name);
      try {
        return await (node as Procedure)(input, options);
      } catch (error) {
        throw await wordEngineError(error);
      }
    },
  });
}
