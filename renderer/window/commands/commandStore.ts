import { defineStore } from 'pinia';
import { computed, nextTick, shallowReactive, watch } from 'vue';

import type { MenuItem } from '../../ui/Menu.vue';
import { t } from '../../i18n/index.ts';
import { useNavigation } from '../navigation.ts';
import { useToasts } from '../toasts.ts';
import { paneOfCommand, type CommandId } from './commandList.ts';

/** How a pane carries out a command. */
export interface CommandHandler {
  run: () => unknown;
  /** Why it cannot be done now. */
  reason?: () => string | undefined;
}

/** Something that can be done with an object in view. */
export interface ObjectCommand {
  item: MenuItem;
  /** Whose command it is. */
  name: string;
}

/** What the panes can carry out. A pane that was never seen is opened first, and then carries out what was asked. */
export const useCommandStore = defineStore('commands', () => {
  const navigation = useNavigation();
  const toasts = useToasts();
  const handlers = shallowReactive(new Map<CommandId, CommandHandler>());
  /** What objects in view offer. */
  const ofObjects = shallowReactive(new Set<() => readonly ObjectCommand[]>());
  let waiting: CommandId | undefined;

  async function perform(id: CommandId): Promise<void> {
    await nextTick();
    const handler = handlers.get(id);
    const reason = handler?.reason?.();
    if (reason !== undefined) toasts.show({ kind: 'info', title: t(`commands.${id}`), text: reason });
    else handler?.run();
  }

  watch(
    () => navigation.pane,
    (pane) => {
      if (waiting !== undefined && paneOfCommand(waiting) !== pane) waiting = undefined;
    },
    { flush: 'sync' },
  );

  return {
    objectCommands: computed(() => [...ofObjects].flatMap((commands) => commands())),
    /** Gives what ends the offer. */
    offerFor(commands: () => readonly ObjectCommand[]): () => void {
      ofObjects.add(commands);
      return () => void ofObjects.delete(commands);
    },
    offer(id: CommandId, handler: CommandHandler): void {
      handlers.set(id, handler);
      if (waiting !== id) return;
      waiting = undefined;
      void perform(id);
    },
    withdraw(id: CommandId, handler: CommandHandler): void {
      if (handlers.get(id) === handler) handlers.delete(id);
    },
    reasonOf: (id: CommandId): string | undefined => handlers.get(id)?.reason?.(),
    /** Whether it can be asked for: its pane has it, or was not seen yet. */
    isOffered(id: CommandId): boolean {
      if (handlers.has(id)) return true;
      const pane = paneOfCommand(id);
      return pane !== undefined && ![...handlers.keys()].some((other) => paneOfCommand(other) === pane);
    },
    /** Goes to the command's pane and has it done there. */
    run(id: CommandId): void {
      const pane = paneOfCommand(id);
      if (pane !== undefined) navigation.open(pane);
      if (handlers.has(id)) void perform(id);
      else waiting = id;
    },
  };
});
