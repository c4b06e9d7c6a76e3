import { formatBytes } from '../../format/formatBytes.ts';
import { t } from '../../i18n/index.ts';
import { useToasts } from '../../stores/toasts.ts';

/** What the engine takes, in UTF-16 code units; a file of as many bytes never has more. */
const limit = 20_000_000;

/** Text out of a file: chosen here, or given. */
export function useFileText(options: { read: (text: string, fileName: string) => void }): {
  take: (file: File | undefined) => Promise<void>;
  choose: () => void;
} {
  const toasts = useToasts();

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > limit) {
      const facts = { name: file.name, size: formatBytes(file.size), limit: formatBytes(limit) };
      toasts.show({ kind: 'error', title: t('parser.tooLarge'), text: t('parser.tooLargeText', facts) });
      return;
    }
    try {
      options.read(await file.text(), file.name);
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
