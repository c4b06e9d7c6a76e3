import { formatBytes } from '../format/formatBytes.ts';
import { t } from '../../i18n/index.ts';

/** What the engine takes, in UTF-16 code units; a file of as many bytes never has more. */
const maxBytes = 20_000_000;

/** Reads a file that the user chose. Rejects, in the window's language, if it is larger than the engine takes. */
export async function readTextFile(file: File): Promise<string> {
  if (file.size > maxBytes) {
    const facts = { name: file.name, size: formatBytes(file.size), limit: formatBytes(maxBytes) };
    throw new Error(t('common.fileTooLarge', facts));
  }
  return file.text();
}
