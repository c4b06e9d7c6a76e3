import { createLineReader } from '../mcp/createLineReader.ts';
import { createRecordedServer } from '../features/captures/mcp/recordedServer.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';
import { readCaptureFile } from './importCapture.ts';
import { writeProtocolLine } from './mcpStreams.ts';
import type { Terminal } from './terminal.ts';

const maxLineBytes = 64 * 1024 * 1024;

/** `toolwire mcp --capture FILE`: answers over standard input and output as the recorded server did, until standard input ends. */
export async function serveCapture(file: string, terminal: Terminal): Promise<number> {
  const { device, frames } = await readCaptureFile(file, 'mcp');
  const server = createRecordedServer(frames);
  terminal.note(`toolwire: Answering as the recorded server ${firstLine(device.name)}.\n`);
  const lines = createLineReader({
    maxBytes: maxLineBytes,
    onLine(text) {
      if (text.trim() !== '') for (const answer of server.receive(text)) writeProtocolLine(answer);
    },
    onTooLong: (_start, _end, bytes) => terminal.note(`toolwire: A message of ${bytes} bytes was dropped.\n`),
  });
  const stop = (): void => void process.stdin.destroy();
  terminal.ended.addEventListener('abort', stop);
  try {
    for await (const chunk of process.stdin) lines.push(chunk as Buffer);
    lines.end();
  } catch (error) {
    // It was destroyed, to end the loop.
    if (!terminal.ended.aborted) throw error;
  }
  return exitCodes.ok;
}
