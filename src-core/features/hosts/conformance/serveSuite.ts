import { defaultToolCallConfig } from '../../../base/calls.ts';
import { systemClock } from '../../../base/clock.ts';
import type { JsonValue } from '../../../base/json.ts';
import type { ErrorReporter } from '../../../base/reportError.ts';
import { createToolRegistryManager } from '../../../registry/toolRegistryManager.ts';
import { createListener } from '../../../server/createListener.ts';
import { hostPolicy } from '../../../server/policies.ts';
import { createExportedNames } from '../exportedNames.ts';
import { createExportedTools } from '../exportedTools.ts';
import { ownOrigin } from '../hostRoutes.ts';
import { createMcpHttpEndpoint, maxMcpBodyBytes, mcpMethods } from '../httpEndpoint.ts';
import { createKeptBlocks } from '../keptBlocks.ts';
import { createRegistryOffer } from '../registryOffer.ts';
import { offerSuite } from './suiteFixtures.ts';

/**
 * Serves what the conformance suite asks for at `/mcp` of 127.0.0.1, without a token and without a workbench. Rejects if the port is
 * taken. `port` 0 is any free one.
 */
export async function serveSuite({ port, onError }: { port: number; onError: ErrorReporter }): Promise<{
  url: string;
  close(): Promise<void>;
}> {
  const manager = createToolRegistryManager({ onError });
  const { scope, ...suite } = offerSuite(manager);
  const names = new Map<string, JsonValue>();
  const store = {
    get: (key: string) => names.get(key),
    set: (key: string, value: JsonValue) => void names.set(key, value),
  };
  const tools = createExportedTools({
    consumer: 'host',
    toolRegistryManager: manager,
    names: createExportedNames({ store, onError }),
    policy: () => ({ config: defaultToolCallConfig, dangerousTools: [] }),
    clock: systemClock,
  });
  const offer = createRegistryOffer({
    ...suite,
    tools,
    scope,
    execution: () => ({ toolRegistryManager: manager, onError }),
    keep: createKeptBlocks().keep,
    clock: systemClock,
  });
  const endpoint = createMcpHttpEndpoint({
    offer,
    clock: systemClock,
    onError: (error) => onError(error, 'the conformance suite'),
  });
  const listener = createListener({ port, onError: (error) => onError(error, 'the conformance suite') });
  listener.route({
    path: '/mcp',
    methods: mcpMethods,
    policies: [hostPolicy(), ownOrigin],
    maxBodyBytes: maxMcpBodyBytes,
    handle: (exchange) => endpoint.handle(exchange, { id: 'suite', name: 'Conformance suite' }),
  });
  const bound = await listener.listen();
  return {
    url: `http://127.0.0.1:${bound.port}/mcp`,
    async close() {
      await endpoint.close();
      tools.close();
      await listener.close();
    },
  };
}
