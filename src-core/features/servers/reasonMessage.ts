import { localize, type Localized } from '../../base/messages/localize.ts';

/** Why an answer is no MCP, or why a certificate is refused: usual reasons in the words of others. */
const known = [
  [/^its fields are not those of MCP$/, 'servers.reason.fields'],
  [/^Unexpected end of JSON input$/, 'servers.reason.empty'],
  [/ is not valid JSON$|^Unexpected (?:non-whitespace|token)/, 'servers.reason.no-json'],
  [/^Unexpected content type: $/, 'servers.reason.no-content-type'],
  [/^SSE error: Invalid content type, expected "text\/event-stream"/, 'servers.reason.no-event-stream'],
  [/^self-signed certificate in certificate chain|^unable to (?:get|verify) /, 'servers.reason.unknown-issuer'],
  [/^self-signed certificate/, 'servers.reason.self-signed'],
  [/^certificate has expired$/, 'servers.reason.expired'],
] as const;

/** A reason in the words of the SDK, of Node or of a server, as a sentence of ours if it is a usual one. */
export function reasonMessage(reason: string): Localized {
  const [, code] = known.find(([pattern]) => pattern.test(reason)) ?? [];
  if (code !== undefined) return localize(code);
  const [, method, fields] = /^its answer to (\S+) has no valid (.+)$/.exec(reason) ?? [];
  if (method !== undefined && fields !== undefined) return localize('servers.reason.no-fields', { method, fields });
  const [, host] = /^Hostname\/IP does not match certificate's altnames: Host: (\S+)\. /.exec(reason) ?? [];
  if (host !== undefined) return localize('servers.reason.other-host', { host });
  const [, origin] = /^Endpoint origin does not match connection origin: (.+)$/.exec(reason) ?? [];
  if (origin !== undefined) return localize('servers.reason.other-origin', { origin });
  return localize('servers.reason.other', { reason: reason.replace(/[.。]$/, '') });
}
