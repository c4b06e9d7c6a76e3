import type { RequestPolicy } from '../server/types.ts';

/** DNS rebinding: the Host header must be this address and port, to the letter. */
export function exactHost(port: number): RequestPolicy {
  const known = ownHosts(port);
  return ({ headers }) =>
    known.has(headers.host ?? '')
      ? undefined
      : { status: 421, message: 'This listener does not answer for that Host.' };
}

/** Refuses pages of other sites, and of this site under a name other than the one in Host. */
export function sameOrigin(port: number): RequestPolicy {
  const known = ownHosts(port);
  return ({ headers: { host = '', origin } }) =>
    origin === undefined || (known.has(host) && origin === `http://${host}`)
      ? undefined
      : { status: 403, message: 'Pages of this origin may not use this address.' };
}

/** As a browser writes them: without the port if it is the default of http. */
function ownHosts(port: number): ReadonlySet<string> {
  return new Set(['127.0.0.1', 'localhost'].map((name) => new URL(`http://${name}:${port}`).host));
}
