/** Endpoints: addresses of xiaozhi agents that Toolwire serves its tools to. */
export const endpoint = {
  'endpoint.badUrl':
    'The address must begin with ws:// or wss:// and must not contain #. Copy it from the console of the agent.',
  'endpoint.closed': ({ code }: { code: number }) => `The endpoint closed the connection (code ${code}).`,
  'endpoint.noWebSocket': ({ status }: { status: number }) =>
    `The address answered with HTTP ${status} and opened no WebSocket. Check it.`,
  'endpoint.replaced':
    'Another program has connected with the same token, or the endpoint ended the connection (code 1000). Close the other program, then connect again.',
  'endpoint.sameToken': ({ label }: { label: string }) =>
    `"${label}" uses this address already. An endpoint accepts one connection for each token.`,
  'endpoint.silent': 'The endpoint did not answer a ping.',
  'endpoint.stuck': 'The endpoint does not read the answers of Toolwire.',
  'endpoint.tokenRefused': 'The endpoint refused the token. Copy the address from the console again.',
  'endpoint.tooMany': ({ most }: { most: number }) => `There are ${most} endpoints already. Remove one of them.`,
  'endpoint.unknown': 'This endpoint no longer exists.',
  'endpoint.unreachable': ({ cause }: { cause: string }) => `The endpoint cannot be reached (${cause}).`,
  'endpoint.unreadable': 'The address of this endpoint cannot be read from the secret store. Enter it again.',
};
