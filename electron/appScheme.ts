/** The window's address. `app:` is a scheme of its own, so that the page has no `file:` rights. */
export const appScheme = 'app';
export const appHost = 'toolwire';
export const pageUrl = `${appScheme}://${appHost}/index.html`;

/** To be registered before the app is ready: a real origin (standard), and APIs that ask for one (secure). */
export const schemePrivileges: { scheme: string; privileges: Record<string, boolean> }[] = [
  { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  // The sandbox of MCP Apps (appSandbox.ts).
  { scheme: 'mcp-app', privileges: { standard: true, secure: true } },
];

/**
 * Whether a URL is our page, whatever its query and fragment. By text: `new URL('app://x').origin` is `"null"` in Node,
 * equal for every page of every custom scheme.
 */
export function isPageUrl(url: string): boolean {
  return url.split(/[?#]/, 1)[0] === pageUrl;
}

/** Whether a URL is a file of ours. */
export function isAppUrl(url: string): boolean {
  return url.startsWith(`${appScheme}://${appHost}/`);
}
