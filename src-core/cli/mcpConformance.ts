import { version } from '../base/version.ts';
import type { Command, GivenFlags } from './command.ts';
import { exitCodes } from './exitCodes.ts';
import { writeProtocolLine } from './mcpStreams.ts';
import { noteError } from './noteError.ts';
import type { Terminal } from './terminal.ts';
import { untilEnded } from './untilEnded.ts';

/** `toolwire mcp --http --conformance`: serves the fixtures of the conformance suite until the program is asked to end. */
export async function serveConformance(flags: GivenFlags, terminal: Terminal): Promise<number> {
  const { serveSuite } = await import('../features/hosts/conformance/serveSuite.ts');
  const port = flags.number('port', { min: 0, max: 65_535 }) ?? 0;
  const { url, close } = await serveSuite({ port, onError: noteError(terminal) });
  try {
    writeProtocolLine(flags.isSet('json') ? JSON.stringify({ url }) : url);
    await untilEnded(terminal.ended);
  } finally {
    await close();
  }
  return exitCodes.ok;
}

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
