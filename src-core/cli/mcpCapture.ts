import { createLineReader } from '../mcp/createLineReader.ts';
import { readCaptureFrame, type CaptureFrame } from '../features/captures/captureFrame.ts';
import { readCaptureHeader, type CaptureHeader } from '../features/captures/captureHeader.ts';
import { readServerCaptureFrame } from '../features/captures/mcp/serverCaptureFrame.ts';
import { createRecordedServer } from '../features/captures/mcp/recordedServer.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';
import { filePieces } from './filePieces.ts';
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

/**
 * Reads a capture of a device or an MCP server without a workbench.
 * @throws {Error} Naming the file, or the line and what is wrong with it.
 */
export async function readCaptureFile(
  file: string,
  of: 'device' | 'mcp',
): Promise<Pick<CaptureHeader, 'device'> & { frames: CaptureFrame[] }> {
  const readFrame = of === 'mcp' ? readServerCaptureFrame : readCaptureFrame;
  let header: CaptureHeader | undefined;
  const frames: CaptureFrame[] = [];
  let number = 0;
  for await (const piece of filePieces(file)) {
    for (const line of piece.replace(/\n$/, '').split('\n')) {
      number += 1;
      if (header === undefined) {
        header = readCaptureHeader(line.replace(/^\ufeff/, ''));
        if ((header.origin ?? 'device') !== of)
          throw new Error(`${file} is not a capture of ${of === 'mcp' ? 'an MCP server' : 'a device'}.`);
      } else if (line.trim() !== '') frames.push(readFrame(line, number));
    }
  }
  if (header === undefined) throw new Error(`${file} is empty: a capture has a header at least.`);
  return { device: header.device, frames };
}
