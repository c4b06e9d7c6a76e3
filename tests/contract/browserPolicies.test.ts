import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';

import { exactHost, sameOrigin } from '../../src-core/rpc/browserPolicies.ts';

function verdict(port: number, headers: { host?: string; origin?: string }): number | undefined {
  const request = { headers } as IncomingMessage;
  return (exactHost(port)(request) ?? sameOrigin(port)(request))?.status;
}

test.each<[number, { host?: string; origin?: string }, number | undefined]>([
  [4310, { host: '127.0.0.1:4310' }, undefined],
  [4310, { host: 'localhost:4310', origin: 'http://localhost:4310' }, undefined],
  [4310, { host: 'localhost:4310', origin: 'http://127.0.0.1:4310' }, 403],
  [4310, { host: '127.0.0.1:4310', origin: 'https://127.0.0.1:4310' }, 403],
  [4310, { host: '127.0.0.1' }, 421],
  [4310, {}, 421],
  // A browser leaves the port of http out.
  [80, { host: '127.0.0.1' }, undefined],
  [80, { host: 'localhost', origin: 'http://localhost' }, undefined],
  [80, { host: '127.0.0.1', origin: 'http://evil.example' }, 403],
  [80, { host: 'evil.example', origin: 'http://evil.example' }, 421],
])('at port %i, %j is answered with %s', (port, headers, status) => {
  expect(verdict(port, headers)).toBe(status);
});
