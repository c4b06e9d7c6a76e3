/** Why a sign-in at an MCP server failed, and what to do about it. */
export const signIn = {
  'signIn.bad-authorization-url':
    'The sign-in page has to be an https URL. It was not opened. The operator of the authorization server has to correct its metadata.',
  'signIn.insecure-url': ({ origin }: { origin: string }) =>
    `A sign-in needs https, but the server refers to ${origin}. Nothing was sent. Its operator has to use https.`,
  'signIn.private-address': ({ host }: { host: string }) =>
    `A public server refers to ${host}, an address in a private network. Nothing was sent. Do not use this server unless its operator explains it.`,
  'signIn.redirected': ({ origin }: { origin: string }) =>
    `The request was redirected to ${origin}. It was not followed. Check that the URL of the server is the final one.`,
  'signIn.unreachable': ({ host }: { host: string }) => `${host} did not answer. Check the network, and sign in again.`,
  'signIn.http-status': ({ host, status }: { host: string; status: number }) =>
    `${host} answered with the status ${status}. Sign in again later, or ask its operator.`,
  'signIn.wrong-state':
    'An answer of another sign-in arrived: its state is different. It was ignored, and Toolwire still waits for the browser.',
  'signIn.wrong-issuer':
    'The answer comes from another authorization server (iss). It was refused. Sign in again; if it happens again, do not use this server.',
  'signIn.refused': ({ error }: { error: string }) =>
    `The authorization server refused the sign-in${error === '' ? '' : ` (${error})`}. Sign in again, and check your account, the scopes and the client id.`,
  'signIn.no-code': 'The answer of the authorization server has no code. Sign in again, or ask its operator.',
  'signIn.timeout': ({ minutes }: { minutes: number }) =>
    `The browser did not return within ${minutes} min. Sign in again, and finish the sign-in in the browser on this computer.`,
  'signIn.cancelled': 'The sign-in was cancelled. Sign in again to use the server.',
  'signIn.port-in-use': ({ port }: { port: number }) =>
    `Another program uses port ${port}, to which the browser would return. End that program, or change the callback port of the server.`,
  'signIn.cannot-listen': ({ port, cause }: { port: number; cause: string }) =>
    `Toolwire cannot listen on port ${port}, to which the browser would return (${cause}). Change the callback port of the server.`,
  'signIn.issuer-not-offered': ({ issuer, offered }: { issuer: string; offered: string }) =>
    `The server does not name ${issuer} as its authorization server. It names ${offered}. Change the authorization server in the sign-in of the server.`,
  'signIn.issuer-changed': ({ issuer, bound }: { issuer: string; bound: string }) =>
    `The server now names the authorization server ${issuer}, but the client was registered with ${bound}. Its credentials were not sent. If this change is right, enter the client id for ${issuer}.`,
  'signIn.no-oauth':
    'The server requires credentials (401) and offers no sign-in. Set or correct the header Authorization.',
  'signIn.no-registration': ({ issuer }: { issuer: string }) =>
    `${issuer} registers no clients by itself. Register a client there, and enter its id in the sign-in of the server.`,
  'signIn.registration-refused': ({ issuer, reason }: { issuer: string; reason: string }) =>
    `${issuer} refused to register Toolwire as a client (${reason}). Register a client there, and enter its id in the sign-in of the server.`,
  'signIn.invalid-client': ({ issuer }: { issuer: string }) =>
    `${issuer} does not accept the client. Check the client id, its secret or key, and the method of authentication.`,
  'signIn.invalid-scope': ({ issuer }: { issuer: string }) =>
    `${issuer} does not know a requested scope. Check the extra scopes in the sign-in of the server.`,
  'signIn.token-refused': ({ issuer, error }: { issuer: string; error: string }) =>
    `${issuer} returned no token (${error}). Sign in again; if it happens again, check the client in the sign-in of the server.`,
  'signIn.resource-mismatch':
    'The metadata of the server describes another resource than its URL. Check the URL of the server and its path.',
  'signIn.issuer-mismatch':
    'The metadata of the authorization server names another issuer than the server does. It was refused. Its operator has to correct it.',
  'signIn.no-pkce':
    'The authorization server does not support PKCE with S256, without which a sign-in is not safe. Its operator has to enable it.',
  'signIn.scope-refused': ({ scope }: { scope: string }) =>
    `The server still asks for more rights${scope === '' ? '' : ` (${scope})`}, although the token was issued for them. Check the rights of your account.`,
  'signIn.other-scopes': ({ scope }: { scope: string }) =>
    `The call needs more rights (${scope}), but a request for other rights is still open. Answer that request, and call again.`,
  'signIn.bad-key':
    'The private key cannot be used with this algorithm. Enter a key in PEM (PKCS #8) that fits the algorithm.',
  'signIn.bad-answer': ({ issuer }: { issuer: string }) =>
    `The answer of ${issuer} is not valid OAuth. Ask its operator.`,
};
