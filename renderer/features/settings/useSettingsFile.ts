import { computed, ref, shallowRef, type ComputedRef, type Ref } from 'vue';

import type { Settings } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { readTextFile } from '../../ui/files/readTextFile.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { t } from '../../i18n/index.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { useToasts } from '../../window/toasts.ts';

/** One setting that a file would change, as JSON. */
export interface SettingChange {
  name: string;
  before: string;
  after: string;
}

/** Settings to a file and back. What a file would change is shown first; `apply` makes the change. */
export function useSettingsFile(): {
  /** The file that waits to be applied. */
  fileName: Readonly<Ref<string | undefined>>;
  changes: ComputedRef<SettingChange[]>;
  failure: Ref<{ fileName: string; reason: string } | undefined>;
  save: () => Promise<void>;
  take: (file: File) => Promise<void>;
  pick: () => void;
  apply: () => void;
  dismiss: () => void;
} {
  const client = useClient();
  const settings = useSettings();
  const toasts = useToasts();
  const fileName = ref<string>();
  const change = shallowRef<Partial<Settings>>({});
  const failure = ref<{ fileName: string; reason: string }>();

  async function take(file: File): Promise<void> {
    failure.value = undefined;
    try {
      await settings.flush();
      const read = await client.settings.readExport({ text: await readTextFile(file) });
      change.value = read.change;
      fileName.value = file.name;
    } catch (cause) {
      failure.value = { fileName: file.name, reason: cause instanceof Error ? cause.message : String(cause) };
    }
  }

  return {
    fileName,
    failure,
    take,
    changes: computed(() =>
      Object.entries(change.value).map(([name, after]) => ({
        name,
        before: JSON.stringify(settings.current[name as keyof Settings]),
        after: JSON.stringify(after),
      })),
    ),
    async save() {
      try {
        await settings.flush();
        const { fileName: name, text } = await client.settings.export();
        saveFile(new Blob([text], { type: 'application/json' }), name);
      } catch (cause) {
        toasts.fail(t('settings.file.exportFailed'), cause);
      }
    },
    pick() {
      const input = document.createElement('input');
      input.type = 'file';
      input.accept = '.json';
      input.ariaLabel = t('settings.file.import');
      input.addEventListener('change', () => input.files?.[0] && void take(input.files[0]));
      input.click();
    },
    apply() {
      settings.change(change.value);
      fileName.value = undefined;
    },
    dismiss: () => (fileName.value = undefined),
  };
}
