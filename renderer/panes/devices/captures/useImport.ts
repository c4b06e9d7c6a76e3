import { ref, type Ref } from 'vue';

import { t } from '../../../i18n/index.ts';
import { useCaptures } from './capturesStore.ts';

/** An import that failed, worded. */
export interface ImportFailure {
  fileName: string;
  reason: string;
}

/** Takes capture files in, one after the other. */
export function useImport(chosen: (captureId: string) => void): {
  /** 0 to 1 while a file is read. */
  progress: Ref<number | undefined>;
  failure: Ref<ImportFailure | undefined>;
  take: (files: Iterable<File>) => Promise<void>;
  pick: () => void;
} {
  const captures = useCaptures();
  const progress = ref<number>();
  const failure = ref<ImportFailure>();

  async function take(files: Iterable<File>): Promise<void> {
    failure.value = undefined;
    for (const file of files) {
      progress.value = 0;
      try {
        chosen(await captures.importFile(file, (share) => (progress.value = share)));
      } catch (cause) {
        failure.value = { fileName: file.name, reason: cause instanceof Error ? cause.message : String(cause) };
      }
    }
    progress.value = undefined;
  }

  return {
    progress,
    failure,
    take,
    pick() {
      const input = document.createElement('input');
      input.type = 'file';
      input.accept = '.jsonl,.ndjson,.json,.txt';
      input.multiple = true;
      input.ariaLabel = t('devices.captures.import');
      input.addEventListener('change', () => void take([...(input.files ?? [])]));
      input.click();
    },
  };
}
