import { version } from '../base/version.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exitCodes.ts';

/** `toolwire mcp conformance-client URL`: the client that the conformance suite starts. The suite sets the variables. */
export const mcpConformanceClient: Command = {
  name: 'mcp conformance-client',
  hidden: true,
  argument: { label: 'URL', required: true },
  summary: 'Do what the conformance suite expects of a client.',
  flags: {},
  async run({ argument: serverUrl = '', terminal }) {
    const { runSuiteClient } = await import('../features/servers/conformance/runSuiteClient.ts');
    const { MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION, MCP_CONFORMANCE_CONTEXT } = terminal.env;
    await runSuiteClient({
      serverUrl,
      scenario: MCP_CONFORMANCE_SCENARIO ?? '',
      revision: MCP_CONFORMANCE_PROTOCOL_VERSION ?? '',
      context: MCP_CONFORMANCE_CONTEXT ?? '{}',
      clientInfo: { name: 'toolwire', version },
      signal: terminal.ended,
    });
    return exitCodes.ok;
  },
};
