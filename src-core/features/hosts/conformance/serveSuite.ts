import type { ErrorReporter } from '../../../base/reportError.ts';
import { createToolRegistryManager } from '../../../registry/toolRegistryManager.ts';
import { serveToolsOverHttp } from '../serveTools.ts';
import { offerSuite } from './suiteFixtures.ts';

/**
 * Serves what the conformance suite asks for at `/mcp` of 127.0.0.1, without a token and without a workbench. Rejects if the port is
 * taken. `port` 0 is any free one.
 */
export function serveSuite({ port, onError }: { port: number; onError: ErrorReporter }): Promise<{
  url: string;
  close(): Promise<void>;
}> {
  const toolRegistryManager = createToolRegistryManager({ onError });
  const suite = offerSuite(toolRegistryManager);
  return serveToolsOverHttp({ toolRegistryManager, ...suite, port, token: false, onError });
}
