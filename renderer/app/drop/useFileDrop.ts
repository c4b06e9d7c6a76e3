import { useEventListener } from '@vueuse/core';
import { ref, type Ref } from 'vue';

import { isOfCollection } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { useDroppedFiles } from '../../window/droppedFiles.ts';
import { useToasts } from '../../window/toasts.ts';
import { paneOfFile } from './paneOfFile.ts';

/** Files of one drop that are taken; whoever drops a whole folder of them hears of the rest. */
const mostFiles = 20;

/**
 * Takes files dropped anywhere on the window to the pane that reads them; says why another is not taken. Folders and
 * files of a collection are the desktop shell's (electron/preloadBridge.ts): a page is not told where they lie.
 */
export function useFileDrop(host: Pick<Window, 'toolwireShell'> = window): { dragging: Readonly<Ref<boolean>> } {
  const dropped = useDroppedFiles();
  const toasts = useToasts();
  const dragging = ref(false);

  /** The files that are read here, of all that was dropped. */
  function ours(items: DataTransferItemList): File[] {
    return [...items].flatMap((item) => {
      const file = item.getAsFile();
      const isFolder = item.webkitGetAsEntry()?.isDirectory === true;
      if (file === null || (!isFolder && !isOfCollection(file.name))) return file ?? [];
      if (host.toolwireShell === undefined) refuse(file.name, t('shell.drop.refused.collection'));
      return [];
    });
  }

  async function take(files: readonly File[]): Promise<void> {
    const places = await Promise.allSettled(files.map(paneOfFile));
    // All at once, so that a pane takes its files one after the other.
    for (const [at, file] of files.entries()) {
      const place = places[at];
      // A file that is gone has no bytes to read.
      if (place?.status !== 'fulfilled') refuse(file.name, t('shell.drop.refused.unreadable'));
      else if ('pane' in place.value) dropped.give(place.value.pane, file);
      else refuse(file.name, t(`shell.drop.refused.${place.value.refused}`));
    }
  }

  function refuse(name: string, text: string): void {
    toasts.show({ kind: 'warn', title: t('shell.drop.notTaken', { name }), text });
  }

  useEventListener(window, 'dragover', (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    dragging.value = true;
  });
  useEventListener(window, 'dragleave', (event: DragEvent) => {
    if (event.relatedTarget === null) dragging.value = false;
  });
  useEventListener(window, 'drop', (event: DragEvent) => {
    dragging.value = false;
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    const files = ours(event.dataTransfer.items);
    void take(files.slice(0, mostFiles));
    if (files.length > mostFiles) {
      toasts.show({ kind: 'warn', title: t('shell.drop.tooMany', { most: mostFiles }) });
    }
  });
  return { dragging };
}
