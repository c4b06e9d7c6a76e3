import { Upload, Pencil, Trash2 } from '@lucide/vue';
import { computed, ref, type ComputedRef, type Ref } from 'vue';

import type { CaptureInfo } from '../../../src-core/contract/types.ts';
import type { MenuItem } from '../../ui/Menu.vue';
import { t } from '../../i18n/index.ts';
import { useClosed } from '../trash/closedStore.ts';
import { useToasts } from '../../window/toasts.ts';
import { useCaptures } from './capturesStore.ts';
import { useExport } from './useExport.ts';

/** What can be done with any imported capture: export, rename and remove it. */
export function useCaptureMenu(capture: () => CaptureInfo | undefined): {
  /** Empty without a capture. */
  menu: ComputedRef<MenuItem[]>;
  /** Whether the dialog for its name is open. */
  renaming: Ref<boolean>;
  rename: (name: string) => Promise<void>;
} {
  const captures = useCaptures();
  const closed = useClosed();
  const toasts = useToasts();
  const { save } = useExport();
  const renaming = ref(false);

  async function remove(id: string): Promise<void> {
    try {
      await closed.remove('capture', id, () => captures.remove(id));
    } catch (cause) {
      toasts.fail(t('devices.captures.removeFailed'), cause);
    }
  }

  async function rename(name: string): Promise<void> {
    const id = capture()?.id;
    if (id === undefined) return;
    try {
      await captures.rename(id, name);
    } catch (cause) {
      toasts.fail(t('devices.captures.renameFailed'), cause);
    }
  }

  const menu = computed<MenuItem[]>(() => {
    const id = capture()?.id;
    if (id === undefined) return [];
    return [
      { label: t('devices.captures.export'), icon: Upload, run: () => void save({ captureId: id }) },
      { label: t('common.rename'), icon: Pencil, run: () => (renaming.value = true) },
      { label: t('devices.captures.remove'), icon: Trash2, danger: true, run: () => void remove(id) },
    ];
  });
  return { menu, renaming, rename };
}
