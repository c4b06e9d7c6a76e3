import { basename } from 'node:path';

import type { Client } from '../rpc/client.ts';
import type { CaptureInfo } from '../contract/types.ts';
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
