import { serveSuite } from '../features/hosts/conformance/serveSuite.ts';
import type { GivenFlags } from './command.ts';
import { exitCodes } from './exitCodes.ts';
import { writeProtocolLine } from './mcpStreams.ts';
import { noteError } from './noteError.ts';
import type { Terminal } from './terminal.ts';
import { untilEnded } from './untilEnded.ts';

/** `toolwire mcp --http --conformance`: serves the fixtures of the conformance suite until the program is asked to end. */
export async function serveConformance(flags: GivenFlags, terminal: Terminal): Promise<number> {
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
