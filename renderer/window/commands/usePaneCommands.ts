import { onScopeDispose } from 'vue';

import { useHotkeys } from '../../ui/composables/useHotkeys.ts';
import { keysOf, type CommandId } from './commandList.ts';
import { useCommandStore, type CommandHandler } from './commandStore.ts';

/** Carries out commands of the pane while the component lives, asked for by their keys or from the palette. */
export function usePaneCommands(commands: Partial<Record<CommandId, CommandHandler>>): void {
  const store = useCommandStore();
  const given = Object.entries(commands) as [CommandId, CommandHandler][];
  for (const [id, handler] of given) store.offer(id, handler);
  onScopeDispose(() => given.forEach(([id, handler]) => store.withdraw(id, handler)));

  useHotkeys(
    Object.fromEntries(
      given.flatMap(([id, { run, reason }]) => {
        const keys = keysOf(id);
        const act = (): unknown => {
          // A chord stays the command's: the browser's own save or open dialog is not what was meant.
          if (reason?.() !== undefined) return keys?.startsWith('mod') === true;
          void run();
          return true;
        };
        return keys === undefined ? [] : [[keys, act]];
      }),
    ),
  );
}
