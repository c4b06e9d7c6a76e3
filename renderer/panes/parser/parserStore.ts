import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import type { CycleReport, ReplyDialect } from '../../../src-core/api/types.ts';
import { injectConnection } from '../../stores/connection.ts';
import { useSettings } from '../../stores/settings.ts';
import { useTools } from '../../stores/tools.ts';
import type { Reading } from './useParse.ts';

export type CycleState =
  | { phase: 'idle' }
  | { phase: 'running'; abort: AbortController }
  | { phase: 'done'; report: CycleReport }
  | { phase: 'failed'; message: string };

/** The Parser's text and the run of all its calls: outlive the pane. */
export const useParser = defineStore('parser', () => {
  const { client } = injectConnection();
  const settings = useSettings();
  const tools = useTools();
  const text = ref('');
  const cycle = shallowRef<CycleState>({ phase: 'idle' });

  const dialect = computed<ReplyDialect>({
    get: () => settings.current.dialect,
    set: (value) => settings.change({ dialect: value }),
  });

  /** What has to be asked before all calls of a reading run: methods that can do harm, or every call. */
  function asksFirst({ calls }: Reading): { names: string[]; every: boolean } {
    const names = calls.flatMap(({ resolution }) => {
      if (!resolution.ok || tools.find(resolution.qualifiedName)?.method.danger === undefined) return [];
      return [resolution.qualifiedName];
    });
    return { names: [...new Set(names)], every: settings.current.toolCallConfig.requireConfirmation };
  }

  /** Runs every call of the text as an agent's host would, and keeps the text it would feed back. */
  async function runAll(confirmed: boolean): Promise<void> {
    const abort = new AbortController();
    cycle.value = { phase: 'running', abort };
    try {
      await settings.flush();
      const report = await client.parser.runCycle({ text: text.value, confirmed }, { signal: abort.signal });
      cycle.value = { phase: 'done', report };
    } catch (cause) {
      if (abort.signal.aborted) cycle.value = { phase: 'idle' };
      else cycle.value = { phase: 'failed', message: cause instanceof Error ? cause.message : String(cause) };
    }
  }

  return {
    text,
    dialect,
    cycle,
    asksFirst,
    runAll,
    cancelAll: () => cycle.value.phase === 'running' && cycle.value.abort.abort(),
    closeCycle: () => (cycle.value = { phase: 'idle' }),
  };
});
