import { ref, type Ref } from 'vue';

import { pickFiles } from '../../ui/files/pickFiles.ts';
import { t } from '../../i18n/index.ts';
import { useCaptures } from './capturesStore.ts';
import { useShowCapture, type PaneOfCaptures } from './useShowCapture.ts';

/** An import that failed, worded. */
export interface ImportFailure {
  fileName: string;
  reason: string;
}

/** Imports capture files, one after the other; one of another pane is shown there. */
export function useImport(
  chosen: (captureId: string) => void,
  here: PaneOfCaptures,
): {
  /** 0 to 1 while a file is read. */
  progress: Ref<number | undefined>;
  failure: Ref<ImportFailure | undefined>;
  take: (files: Iterable<File>) => Promise<void>;
  pick: () => void;
} {
  const captures = useCaptures();
  const progress = ref<number>();
  const failure = ref<ImportFailure>();
  const { showIn } = useShowCapture();

  async function take(files: Iterable<File>): Promise<void> {
    failure.value = undefined;
    for (const file of files) {
      progress.value = 0;
      try {
        const { id, origin = 'devices' } = await captures.importFile(file, (share) => (progress.value = share));
        if (origin === here) chosen(id);
        else showIn(origin, id);
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
    pick: () =>
      pickFiles({
        accept: '.jsonl,.ndjson,.json,.txt',
        label: t('devices.captures.import'),
        take: (files) => void take(files),
      }),
  };
}
