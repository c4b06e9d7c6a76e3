import { ref, type Ref } from 'vue';

import { useClient } from '../../../client/useClient.ts';
import { loadEngineTexts, wordEngine } from '../../../i18n/engine/wordEngine.ts';
import { t } from '../../../i18n/index.ts';
import { useToasts } from '../../../window/toasts.ts';
import { pickFiles } from '../../../ui/files/pickFiles.ts';
import { readTextFile } from '../../../ui/files/readTextFile.ts';
import { saveFile } from '../../../ui/files/saveFile.ts';

/** Characters of a file that go to the engine at once. */
const pieceLength = 500_000;

/** Chats to files and back. `taken` is called with each new chat. */
export function useChatFiles(taken: (sessionId: string) => void): {
  failure: Ref<{ title: string; text: string } | undefined>;
  importing: Ref<boolean>;
  take: (files: Iterable<File>) => Promise<void>;
  pick: () => void;
  save: (sessionId: string) => Promise<void>;
} {
  const client = useClient();
  const toasts = useToasts();
  const failure = ref<{ title: string; text: string }>();
  const importing = ref(false);

  async function take(files: Iterable<File>): Promise<void> {
    failure.value = undefined;
    importing.value = true;
    for (const file of files) {
      try {
        const { sessionId } = await client.chat.importChat(piecesOf(await readTextFile(file)));
        taken(sessionId);
      } catch (cause) {
        failure.value = {
          title: t('chat.list.importFailed', { name: file.name }),
          text: cause instanceof Error ? cause.message : String(cause),
        };
      }
    }
    importing.value = false;
  }

  return {
    failure,
    importing,
    take,
    pick: () => pickFiles({ accept: '.json', label: t('chat.list.import'), take: (files) => void take(files) }),
    async save(sessionId) {
      try {
        const texts: string[] = [];
        let name = '';
        let tooLarge: string | undefined;
        for await (const { fileName, text, problem } of await client.chat.exportChat({ sessionId })) {
          name = fileName;
          texts.push(text);
          tooLarge = problem;
        }
        saveFile(new Blob([texts.join('')], { type: 'application/json' }), name);
        if (tooLarge !== undefined) {
          await loadEngineTexts();
          toasts.show({ kind: 'warn', title: t('chat.list.exportTooLarge', { name }), text: wordEngine(tooLarge) });
        }
      } catch (cause) {
        toasts.fail(t('chat.list.exportFailed'), cause);
      }
    },
  };
}

/** As the contract takes a file: an asynchronous iterator. */
async function* piecesOf(text: string): AsyncGenerator<string, void, void> {
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
}
