import { saveFile } from '../../../ui/files/saveFile.ts';
import { t } from '../../../i18n/index.ts';
import { useToasts } from '../../../window/toasts.ts';

/** Saves base64 as a file of bytes, of no type: whoever opens it decides what it is. */
export function saveBytes(base64: string, name: string): void {
  try {
    const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
    saveFile(new Blob([bytes], { type: 'application/octet-stream' }), name);
  } catch (cause) {
    useToasts().fail(t('executor.media.saveFailed'), cause);
  }
}
