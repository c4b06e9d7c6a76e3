import { readTextFile } from '../../ui/files/readTextFile.ts';
import { t } from '../../i18n/index.ts';
import { useToasts } from '../../window/toasts.ts';

/** Text out of a file: chosen here, or given. */
export function useFileText(options: { read: (text: string, fileName: string) => void }): {
  take: (file: File | undefined) => Promise<void>;
  choose: () => void;
} {
  const toasts = useToasts();

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    try {
      options.read(await readTextFile(file), file.name);
    } catch (cause) {
      toasts.fail(t('parser.unreadable'), cause);
    }
  }

  function choose(): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.txt,.md,.vcp,.log,.json,text/*';
    input.addEventListener('change', () => void take(input.files?.[0]));
    input.click();
  }

  return { take, choose };
}
