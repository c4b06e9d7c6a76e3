import { ref, type Ref } from 'vue';

import { pickFiles } from '../../ui/files/pickFiles.ts';
import { t } from '../../i18n/index.ts';
import { useCaptures } from './capturesStore.ts';
import { paneOfCapture, useShowCapture, type PaneOfCaptures } from './useShowCapture.ts';

/** Imports capture files, one after the other; one of another pane is shown there. */
export function useImport(
  chosen: (captureId: string) => void,
  here: PaneOfCaptures,
): {
  /** 0 to 1 while a file is read. */
  progress: Ref<number | undefined>;
  failure: Ref<{ title: string; text: string } | undefined>;
  take: (files: Iterable<File>) => Promise<void>;
  pick: () => void;
} {
  const captures = useCaptures();
  const progress = ref<number>();
  const failure = ref<{ title: string; text: string }>();
  const { showIn } = useShowCapture();

  async function take(files: Iterable<File>): Promise<void> {
    failure.value = undefined;
    for (const file of files) {
      progress.value = 0;
      try {
        const taken = await captures.importFile(file, (share) => (progress.value = share));
        const pane = paneOfCapture(taken);
        if (pane === here) chosen(taken.id);
        else showIn(pane, taken.id);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        failure.value = {
          title: t('devices.captures.importFailed', { name: file.name }),
          text: `${reason} ${t('devices.captures.importNext')}`,
        };
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
