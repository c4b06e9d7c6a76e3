import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { isOfCollection, type Opening } from '../src-core/contract/types.ts';
import { filePieces, unreadable } from '../src-core/cli/filePieces.ts';
import type { Workbench } from '../src-core/workbench.ts';

/** Bytes of a capture that is opened from the system: far more than the limit for logs lets in. */
const maxBytes = 2_000_000_000;

/** The engine, as far as files need it. */
export interface FileTakers {
  captures: Pick<Workbench['services']['captures'], 'importPart' | 'remove'>;
  collections: Pick<Workbench['services']['collections'], 'open'>;
}

/**
 * Takes a file or folder in that the user opened in the system: a collection by its folder, its toolwire.json or one of
 * its calls; any other file as a capture, which is imported. The page never gets the path to read. Rejects in words;
 * what was taken of a capture that breaks off is removed again.
 */
export async function openFile(path: string, { captures, collections }: FileTakers): Promise<Opening> {
  const stats = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (stats.isDirectory()) return { kind: 'collection', ...(await collections.open({ folder: path })) };
  if (!stats.isFile()) throw new Error(`${path} is neither a file nor a folder.`);
  const name = basename(path);
  if (isOfCollection(name)) return { kind: 'collection', ...(await collections.open({ folder: dirname(path) })) };
  if (stats.size > maxBytes) throw new Error(`${path} is larger than 2 GB: no capture of ours is.`);

  let captureId: string | undefined;
  try {
    for await (const text of filePieces(path)) {
      const part = { name: name.slice(0, 200), text, ...(captureId !== undefined && { captureId }) };
      ({ captureId } = await captures.importPart(part));
    }
  } catch (error) {
    if (captureId !== undefined) await captures.remove({ captureId, forGood: true });
    throw error;
  }
  if (captureId === undefined) throw new Error(`${path} is empty: a capture has a header at least.`);
  return { kind: 'capture', captureId };
}
