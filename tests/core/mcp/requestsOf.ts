import type { Transport } from '@modelcontextprotocol/client';

import { createRequests, type Requests } from '../../../src-core/mcp/createRequests.ts';
import { McpError } from '../../../src-core/mcp/errors.ts';

/** Requests whose transport fails so many messages. */
export function requestsOf(failures = 0): Requests {
  let count = 0;
  const send = (): Promise<void> => ((count += 1) <= failures ? Promise.reject(new Error('401')) : Promise.resolve());
  return createRequests({
    transport: { send } as unknown as Transport,
    isModern: false,
    envelope: () => ({}),
    onLate: () => undefined,
    explain: () => new McpError('unauthorized', 'Sign in.'),
  });
}
