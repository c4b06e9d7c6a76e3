import { onScopeDispose, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { Client } from '../../../src-core/rpc/client.ts';
import type { ParseReport, ReplyDialect } from '../../../src-core/contract/types.ts';
import { useLate } from '../../ui/composables/useLate.ts';

/** A report with the text it is of: offsets hold for that text only. */
export interface Reading extends ParseReport {
  text: string;
}

export interface UseParseOptions {
  client: Pick<Client, 'parser'>;
  text: Ref<string>;
  dialect: Ref<ReplyDialect>;
  /** From a change to the next ask, ms, for a text of this length. A long text is asked for once typing rests. */
  delayMs?: (length: number) => number;
}

export interface Parse {
  reading: ShallowRef<Reading | undefined>;
  /** The reading is of an older text than the one that is there. */
  stale: Ref<boolean>;
  /** The window waits for the reading for so long that it says so. */
  late: Ref<boolean>;
  error: Ref<string | undefined>;
  /** Reads again at once: the tools that names resolve to have changed. */
  refresh: () => void;
}

/** A text is long where reading it takes longer than a person types a letter. */
const long = 50_000;
const restMs = (length: number): number => (length > long ? 180 : 24);

/** Reads the text as it is typed: the last text wins, an answer for an older one is dropped and its request cancelled. */
export function useParse({ client, text, dialect, delayMs = restMs }: UseParseOptions): Parse {
  const reading = shallowRef<Reading>();
  const stale = shallowRef(text.value !== '');
  const error = shallowRef<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: AbortController | undefined;

  function schedule(): void {
    stale.value = true;
    request?.abort();
    if (text.value.length > long) clearTimeout(timer);
    // What is typed meanwhile goes with the next ask: a short text that never rests is read all the same.
    else if (timer !== undefined) return;
    timer = setTimeout(() => void read(), reading.value === undefined ? 0 : delayMs(text.value.length));
  }

  async function read(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    request?.abort();
    const mine = new AbortController();
    request = mine;
    const asked = { text: text.value, dialect: dialect.value };
    try {
      const report = await client.parser.parse(asked, { signal: mine.signal });
      if (mine.signal.aborted) return;
      reading.value = { ...report, text: asked.text };
      error.value = undefined;
      stale.value = false;
    } catch (cause) {
      if (mine.signal.aborted) return;
      reading.value = undefined;
      error.value = cause instanceof Error ? cause.message : String(cause);
      stale.value = false;
    }
  }

  watch([text, dialect], schedule);
  void read();
  onScopeDispose(() => {
    clearTimeout(timer);
    request?.abort();
  });
  const late = useLate(() => stale.value);
  return { reading, stale, late, error, refresh: () => void read() };
}
