import { onScopeDispose, ref, type Ref } from 'vue';

import { t } from '../../i18n/index.ts';
import { useToasts } from '../../window/toasts.ts';

const shownMs = 1_600;

/** Copies text to the clipboard; `copied` is true for a moment afterwards. */
export function useCopy(): { copied: Readonly<Ref<boolean>>; copy: (text: string) => Promise<void> } {
  const toasts = useToasts();
  const copied = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onScopeDispose(() => clearTimeout(timer));
  return {
    copied,
    async copy(text) {
      if (!(await writeText(text))) {
        toasts.show({ kind: 'error', title: t('common.copyFailed'), text: t('common.copyRefused') });
        return;
      }
      copied.value = true;
      clearTimeout(timer);
      timer = setTimeout(() => (copied.value = false), shownMs);
    },
  };
}

async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** For a page that may not use `navigator.clipboard`, or has none because its address is neither HTTPS nor of this machine. */
function copySelected(text: string): boolean {
  const host = document.createElement('span');
  host.style.cssText = 'position: fixed; opacity: 0; user-select: text';
  host.textContent = '.';
  document.body.append(host);
  const selection = getSelection();
  const before = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
  selection?.selectAllChildren(host);
  // The event has the text: what is selected would lose spaces and lines.
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', onCopy, { capture: true });
  const done = document.execCommand('copy');
  document.removeEventListener('copy', onCopy, { capture: true });
  host.remove();
  selection?.removeAllRanges();
  if (before) selection?.addRange(before);
  return done;
}
