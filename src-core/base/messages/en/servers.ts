/** MCP servers that we connect to. */
export const servers = {
  'servers.unknown': 'This server no longer exists.',
  'servers.notReady': ({ name }: { name: string }) => `The server "${name}" is not ready. Start it first.`,
  'servers.requestFailed': ({ reason }: { reason: string }) => `The server did not answer the request: ${reason}`,
  'servers.requestRefused': ({ reason, code }: { reason: string; code: string }) =>
    `The server refused the request: ${reason} (${code})`,
  'servers.listUnreadable': ({ reason }: { reason: string }) => `The server did not send its list: ${reason}`,
  'servers.changedMeanwhile': ({ name }: { name: string }) =>
    `The configuration of "${name}" has changed. Review it again.`,
  'servers.tooMany': ({ most }: { most: number }) => `There are ${most} servers already. Remove one first.`,
  'servers.badUrl': ({ url }: { url: string }) => `"${url}" is not an address that this transport can use.`,
  'servers.signInNeedsClient': 'A sign-in with credentials of a client needs its client id.',
  'servers.signInNeedsSecret':
    'A sign-in with credentials of a client needs a secret or a private key. Choose how it is sent.',
  'servers.badMetadataUrl': ({ url }: { url: string }) =>
    `"${url}" is not the https URL of a client metadata document. It needs a path, such as https://example.com/client.json.`,
  'servers.badIssuer': ({ issuer }: { issuer: string }) =>
    `"${issuer}" is not the URL of an authorization server, such as https://login.example.com.`,
  'servers.noValue': ({ name, variables }: { name: string; variables: string }) =>
    `"${name}" needs a value for ${variables}. Enter it before the start.`,
  'servers.noVariable': ({ key }: { key: string }) => `The configuration of the server does not refer to "${key}".`,
  'servers.badTemplate': ({ template }: { template: string }) => `"${template}" is not a URI template (RFC 6570).`,
  'servers.tooManySubscriptions': ({ most }: { most: number }) =>
    `There are ${most} subscriptions to this server already. End one first.`,
  'servers.badPath': ({ path }: { path: string }) => `"${path}" is not an absolute path.`,
  'servers.badRoot': ({ root }: { root: string }) => `"${root}" is not an absolute path and not a file: URI.`,
  'servers.toolNotOffered': ({ name }: { name: string }) =>
    `The server did not offer a tool "${name}". Choose one that it offered.`,
  'servers.noReply': 'Write a reply, or ask a model for one.',
  'servers.noApp': ({ uri }: { uri: string }) =>
    `"${uri}" is not an MCP App: a resource of the type text/html;profile=mcp-app.`,
  'servers.appTooLarge': ({ uri }: { uri: string }) => `The page of "${uri}" is larger than 16 MB.`,
  'servers.noAppOfCall': 'The tool of this call has no App any more, or the call is no longer in the history.',
  'servers.notForApps': ({ tool }: { tool: string }) =>
    `The server has no tool "${tool}" that Apps may call. A tool is for Apps if its _meta.ui.visibility contains "app".`,
  'servers.withheldFromApps': ({ tool }: { tool: string }) =>
    `The definition of "${tool}" has changed. Accept it in Servers first.`,
  'servers.notWaiting': 'The server no longer waits for this answer.',
  'servers.fault.not-an-object': ({ place }: { place: number }) =>
    `Entry ${place} of the tool list is not an object and cannot be used.`,
  'servers.fault.no-name': ({ place }: { place: number }) =>
    `Entry ${place} of the tool list has no name and cannot be used.`,
  'servers.fault.no-input-schema': ({ name }: { name: string }) => `"${name}" has no inputSchema and cannot be used.`,
  'servers.fault.invalid-header': ({ name }: { name: string }) =>
    `"${name}" has an invalid x-mcp-header and cannot be used.`,
  'servers.fault.invalid-output-schema': ({ name }: { name: string }) =>
    `The outputSchema of "${name}" is not an object. Its results are not checked.`,
  'servers.fault.duplicate-name': ({ name }: { name: string }) =>
    `Several tools are named "${name}". The server decides which of them is called.`,
  'servers.failed.program-not-found': ({ command, searched }: { command: string; searched: string }) =>
    `The program "${command}" was not found. Install it, or enter its full path. Searched: ${searched}`,
  'servers.failed.program-not-startable': ({ command, reason }: { command: string; reason: string }) =>
    `"${command}" cannot be started: ${reason} Check the command and the working directory.`,
  'servers.failed.process-exited': ({ how, line, hasStderr }: { how: string; line: string; hasStderr: boolean }) =>
    `The process ended (${how}).${line === '' ? '' : ` It wrote to stdout: "${line}".`} ${hasStderr ? 'Its last lines on stderr may show the reason:' : 'It wrote nothing to stderr. Run the command in a terminal to find the reason.'}`,
  'servers.exitCode': ({ code }: { code: string }) => `exit code ${code}`,
  'servers.exitSignal': ({ signal }: { signal: string }) => `signal ${signal}`,
  'servers.note.process-started': ({ pid }: { pid: string }) => `Process ${pid}`,
  'servers.note.process-ended': ({ how }: { how: string }) => `The process ended (${how})`,
  'servers.note.request-failed': ({ reason }: { reason: string }) => `The connection failed: ${reason}`,
  'servers.note.junk-on-stdout': ({ line }: { line: string }) => `Not JSON-RPC on stdout: ${line}`,
  'servers.note.unknown-id': ({ id }: { id: string }) => `An answer with the unknown id ${id} arrived. Ignored.`,
  'servers.note.late': ({ id }: { id: string }) =>
    `The answer to request ${id} arrived after the call had ended. Ignored.`,
  'servers.note.late-progress': ({ id }: { id: string }) =>
    `Progress for request ${id} arrived after the call had ended. Ignored.`,
  'servers.failed.junk-on-stdout': ({ line }: { line: string }) =>
    `The process writes lines to stdout that are not JSON-RPC: "${line}". A server has to write its log to stderr.`,
  'servers.failed.bad-url': ({ schemes }: { schemes: string }) =>
    `This transport cannot use the URL. It must begin with one of ${schemes}. Edit the server or the value of its variable.`,
  'servers.failed.dns': ({ host }: { host: string }) =>
    `The host "${host}" is not known. Check the URL and the network of this computer.`,
  'servers.failed.tls': ({ host, reason }: { host: string; reason: string }) =>
    `No secure connection to "${host}": ${reason} Check the certificate of the server. If the server does not use TLS, begin the URL with http or ws.`,
  'servers.failed.not-tls': ({ host, port, instead }: { host: string; port: string; instead: string }) =>
    `${host}:${port} does not use TLS. Begin the URL with ${instead}.`,
  'servers.failed.refused': ({ host, port }: { host: string; port: string }) =>
    `Nothing answers at ${host}:${port}. Start the server, or correct the URL.`,
  'servers.failed.blocked-port': ({ port }: { port: string }) =>
    `Node.js and browsers block port ${port}. Let the server use another port.`,
  'servers.failed.unreachable': ({ url, reason }: { url: string; reason: string }) =>
    `${url} cannot be reached: ${reason} Check the URL and the network.`,
  'servers.failed.unauthorized':
    'The server asks for a sign-in. Sign in, or set its token as the header Authorization.',
  'servers.failed.header-refused': ({ header, status }: { header: string; status: number }) =>
    `The server refused the header ${header} (${status}). Edit the server, and enter a token that is valid.`,
  'servers.failed.forbidden': ({ body }: { body: string }) =>
    `The server denies access (403)${said(body)}. Check the rights of your account or token.`,
  'servers.failed.http-status': ({ status, body }: { status: number; body: string }) =>
    `The server answered with the status ${status}${said(body)}. Check that the URL is that of its MCP endpoint.`,
  'servers.failed.server-error': ({ status, body }: { status: number; body: string }) =>
    `${status === 500 ? 'The server returned an internal error (500)' : `The server or a proxy in front of it failed (${status})`}${said(body)}. Its own log may show the reason.`,
  'servers.failed.content-type': ({ type }: { type: string }) =>
    `The server answered with ${type === 'text/html' ? 'a web page (text/html)' : type} instead of MCP. Check the path of the URL.`,
  'servers.failed.not-mcp': ({ reason }: { reason: string }) =>
    `The server's answer is not valid MCP: ${reason} Check the command, or the path of the URL.`,
  'servers.failed.wrong-revision': ({ supported }: { supported: string }) =>
    `The server and Toolwire have no revision of MCP in common.${supported === '' ? '' : ` The server offers ${supported}.`} Toolwire supports 2024-11-05 to 2026-07-28. Update the older program.`,
  'servers.failed.silent': ({ seconds }: { seconds: number }) =>
    `The server did not answer within ${seconds} s. Its log may show the reason.`,
  'servers.failed.message-too-large': ({ mib, canIncrease }: { mib: string; canIncrease: boolean }) =>
    `The server's answer is longer than ${mib} MiB.${canIncrease ? ' To accept it, increase “Longest MCP message” in Settings and restart the server.' : ''}`,
  'servers.failed.session-lost': 'The server has forgotten the session.',
  'servers.failed.closed': ({ code }: { code: string }) =>
    `The server closed the connection${code === '' ? '' : ` with code ${code}`}.`,
  'servers.failed.connection-lost': 'The connection was lost.',
  'servers.failed.rpc': ({ reason }: { reason: string }) => `The server refused the connection: ${reason}`,
  'servers.failed.lists': ({ reason }: { reason: string }) => `The lists of the server cannot be read: ${reason}`,
  'servers.reason.fields': 'its fields are not those of MCP.',
  'servers.reason.no-fields': ({ method, fields }: { method: string; fields: string }) =>
    `its answer to ${method} has no valid ${fields}.`,
  'servers.reason.empty': 'it is empty or ends too early.',
  'servers.reason.no-json': 'it is not JSON.',
  'servers.reason.no-content-type': 'it has no Content-Type.',
  'servers.reason.no-event-stream': 'it is not an event stream (text/event-stream).',
  'servers.reason.other-origin': ({ origin }: { origin: string }) =>
    `it names an endpoint on ${origin}, which is another origin.`,
  'servers.reason.self-signed': 'its certificate is self-signed.',
  'servers.reason.unknown-issuer': 'this computer does not trust the issuer of its certificate.',
  'servers.reason.expired': 'its certificate has expired.',
  'servers.reason.other-host': ({ host }: { host: string }) => `its certificate is not for ${host}.`,
  'servers.reason.other': ({ reason }: { reason: string }) => `${reason}.`,
  'conformance.running': 'The conformance suite runs against this server already. Wait for its end, or cancel it.',
  'conformance.failed': ({ reason }: { reason: string }) => `The conformance suite could not run: ${reason}`,
  'conformance.unknownScenario': ({ scenario, revision }: { scenario: string; revision: string }) =>
    `The conformance suite has no scenario "${scenario}" for ${revision}.`,
};

/** What the body of an answer says, if it says something. */
function said(body: string): string {
  return body === '' ? '' : `: "${body}"`;
}
