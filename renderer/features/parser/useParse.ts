import { onScopeDispose, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { Client } from '../../../src-core/rpc/client.ts';
import type { ParseReport, ReplyDialect } from '../../../src-core/contract/types.ts';
import { useLate } from '../../ui/composables/useLate.ts';

/** A report with its text. The offsets are valid for that text only. */
export interface Reading extends ParseReport {
  text: string;
}

export interface UseParseOptions {
  client: Pick<Client, 'parser'>;
  text: Ref<string>;
  dialect: Ref<ReplyDialect>;
  /** ms from a change to the next request, for a text of this length. A long text is parsed once typing pauses. */
  delayMs?: (length: number) => number;
}

export interface Parse {
  reading: ShallowRef<Reading | undefined>;
  /** The reading belongs to an older text. */
  stale: Ref<boolean>;
  /** The reading takes long enough that the window shows it. */
  late: Ref<boolean>;
  error: Ref<string | undefined>;
  /** Parses again immediately, after the tools that names resolve to have changed. */
  refresh: () => void;
}

/** Characters of a long text: one that takes longer to parse than the user needs to type a letter. */
const long = 50_000;
export const restMs = (length: number): number => (length > long ? 180 : 24);

/** Parses the text while it is typed. Requests for an older text are cancelled. */
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
    // Text typed meanwhile is sent with the next request, so a short text is parsed even if typing never pauses.
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
