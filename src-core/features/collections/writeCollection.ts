import { RequestError } from '../../base/requestError.ts';
import type { CollectionFolder } from './collectionFolder.ts';
import { writeExact, type ExactJson } from '../../base/exactJson.ts';
import type { Environment, Manifest, SavedCall } from './format.ts';
import { portabilityProblem } from './portableName.ts';
import { trimEndOf } from '../../base/trimEndOf.ts';

/** A file's text: two spaces, members in the order of the format, a final line end. The form is stable for small diffs. */
export function fileText(value: Manifest | SavedCall | Environment): string {
  // Undefined members are left out.
  return `${writeExact(value as ExactJson, 2)}\n`;
}

/** Makes a folder a collection. @throws {RequestError} If it is one already. */
export async function createCollection(folder: CollectionFolder, name: string): Promise<void> {
  if ((await folder.read('toolwire.json')) !== undefined)
    throw new RequestError(`${folder.path} is a collection already. Open it.`, { field: 'folder' });
  await folder.write('toolwire.json', fileText({ format: 1, name, variables: {} }), null);
}

/**
 * A free file name for a call of that name: `Set the volume` becomes `set-the-volume.call.json`. `taken` are names that
 * were not free, though no file is listed under them: the disk may treat two spellings as one.
 */
export async function freeCallFile(
  folder: CollectionFolder,
  name: string,
  taken: readonly string[] = [],
): Promise<string> {
  const slug = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-|\p{Cs}$/gu, ''); // The cut may halve a pair of surrogates.
  const trimmed = trimEndOf(slug, '-');
  const stem = trimmed === '' ? 'call' : portabilityProblem(trimmed) === undefined ? trimmed : `call-${trimmed}`;
  // macOS and Windows treat Straße and STRASSE as the same name.
  const known = new Set([...(await folder.callFiles()), ...taken].map((file) => file.normalize('NFC').toLowerCase()));
  for (let number = 1; ; number += 1) {
    const file = `${stem}${number === 1 ? '' : `-${number}`}.call.json`;
    if (!known.has(file)) return file;
  }
}
