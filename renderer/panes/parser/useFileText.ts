import { useEventListener } from '@vueuse/core';
import { ref, type Ref } from 'vue';

import { formatBytes } from '../../format/formatBytes.ts';
import { t } from '../../i18n/index.ts';
import { useToasts } from '../../stores/toasts.ts';

/** What the engine takes, in UTF-16 code units; a file of as many bytes never has more. */
const limit = 20_000_000;

/** Text out of a file: chosen, or dropped on `target`. */
export function useFileText(options: { target: Readonly<Ref<HTMLElement | null>>; read: (text: string) => void }): {
  dragging: Ref<boolean>;
  choose: () => void;
} {
  const toasts = useToasts();
  const dragging = ref(false);

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > limit) {
      const facts = { name: file.name, size: formatBytes(file.size), limit: formatBytes(limit) };
      toasts.show({ kind: 'error', title: t('parser.tooLarge'), text: t('parser.tooLargeText', facts) });
      return;
    }
    try {
      options.read(await file.text());
    } catch (cause) {
      toasts.fail(t('parser.unreadable'), cause);
    }
  }

  useEventListener(options.target, 'dragover', (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    dragging.value = true;
  });
  useEventListener(options.target, 'dragleave', (event: DragEvent) => {
    const to = event.relatedTarget;
    if (!(to instanceof Node) || options.target.value?.contains(to) !== true) dragging.value = false;
  });
  useEventListener(options.target, 'drop', (event: DragEvent) => {
    dragging.value = false;
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void take(file);
  });

  function choose(): void {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = '.txt,.md,.vcp,.log,.json,text/*';
    input.addEventListener('change', () => void take(input.files?.[0]));
    input.click();
  }

  return { dragging, choose };
}
