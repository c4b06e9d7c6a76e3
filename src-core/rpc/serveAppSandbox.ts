import { sandboxPage } from '../mcp/apps/sandboxPage.ts';
import { createListener } from '../server/createListener.ts';
import { ListenError } from '../server/listenError.ts';
import { exactHost } from './browserPolicies.ts';
import { contentSecurityPolicy, securityHeaders } from './contentSecurityPolicy.ts';

/** The sandbox of MCP Apps for windows in a browser. */
export interface AppSandbox {
  /** `http://127.0.0.1:<port>`: another origin than the window's. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Serves the page in which MCP Apps run, and nothing else, on 127.0.0.1. A window that is open over a restart knows the port, so it
 * follows the window's and that of devices (`defaultPorts`) if it is free.
 */
export async function serveAppSandbox(options: {
  windowPort: number;
  /** Origins of the windows, which alone may show the page. */
  windows: readonly string[];
  onError: (error: unknown) => void;
}): Promise<AppSandbox> {
  const { windowPort, windows, onError } = options;
  const host = '127.0.0.1';
  async function listenAt(asked: number): Promise<AppSandbox> {
    const listener = createListener({ host, port: asked, onError });
    const { port } = await listener.listen();
    listener.route({
      methods: ['GET'],
      path: '/',
      policies: [exactHost(port)],
      handle({ response, url }) {
        const { headers, body } = sandboxPage(url.searchParams, windows);
        response.writeHead(200, headers).end(body);
      },
    });
    return { origin: `http://${host}:${port}`, close: () => listener.close() };
  }
  return listenAt(windowPort < 65_534 ? windowPort + 2 : 0).catch((error: unknown) => {
    if (!(error instanceof ListenError)) throw error;
    return listenAt(0);
  });
}

/** Headers of the window's page, which shows the sandbox of MCP Apps in a frame: `sandbox` is its origin. */
export function pageHeaders(sandbox: string): Readonly<Record<string, string>> {
  return { ...securityHeaders, 'Content-Security-Policy': `${contentSecurityPolicy}; frame-src ${sandbox}` };
}
