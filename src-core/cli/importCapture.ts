import { basename } from 'node:path';

import type { Client } from '../rpc/client.ts';
import type { CaptureInfo } from '../contract/types.ts';
import { readCaptureFrame, readServerCaptureFrame, type CaptureFrame } from '../features/captures/captureFrame.ts';
import { readCaptureHeader, type CaptureHeader } from '../features/captures/captureHeader.ts';
import { filePieces } from './filePieces.ts';

/** Takes a capture's file in, piece by piece. Rejects naming the file, or the line that is wrong. */
export async function importCapture(client: Client, file: string): Promise<CaptureInfo> {
  let captureId: string | undefined;
  const name = basename(file).slice(0, 200);
  for await (const text of filePieces(file)) {
    ({ captureId } = await client.captures.importPart({ name, text, ...(captureId !== undefined && { captureId }) }));
  }
  const taken = (await client.captures.list()).find(({ id }) => id === captureId);
  if (taken === undefined) throw new Error(`${file} is empty: a capture has a header at least.`);
  return taken;
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
