import { onScopeDispose, ref, shallowRef, type Ref, type ShallowRef } from 'vue';

import type { ReplayedCall, WireRow } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';
import type { CaptureSource } from '../../captures/useExport.ts';

/** Calls of one request: few enough that the count moves, enough that asking costs nothing. */
const batch = 8;
const pageRows = 5_000;

/** Recorded calls, run again on another device. */
export interface Replay {
  phase: Ref<'idle' | 'running' | 'done' | 'stopped'>;
  calls: ShallowRef<readonly ReplayedCall[]>;
  /** Recorded calls; known once it runs. */
  total: Ref<number>;
  error: Ref<string | undefined>;
  start(options: { targetId: string; confirmed: boolean }): Promise<void>;
  stop(): void;
}

export function useReplay(source: CaptureSource): Replay {
  const client = useClient();
  const phase = ref<'idle' | 'running' | 'done' | 'stopped'>('idle');
  const calls = shallowRef<readonly ReplayedCall[]>([]);
  const total = ref(0);
  const error = ref<string>();
  let abort: AbortController | undefined;
  onScopeDispose(() => abort?.abort());

  /** Where the recording's calls are. */
  async function findCalls(signal: AbortSignal): Promise<number[]> {
    const log = 'deviceId' in source ? { id: source.deviceId } : source;
    const found: number[] = [];
    let page: { rows: WireRow[] };
    let afterSeq: number | undefined;
    do {
      const at = { ...log, limit: pageRows, ...(afterSeq !== undefined && { afterSeq }) };
      page = await client.devices.log(at, { signal });
      for (const row of page.rows) if (row.role === 'request' && row.method === 'tools/call') found.push(row.seq);
      afterSeq = page.rows.at(-1)?.seq;
    } while (page.rows.length === pageRows);
    return found;
  }

  return {
    phase,
    calls,
    total,
    error,
    async start({ targetId, confirmed }) {
      abort?.abort();
      const mine = new AbortController();
      abort = mine;
      phase.value = 'running';
      calls.value = [];
      error.value = undefined;
      total.value = 0;
      try {
        const wanted = await findCalls(mine.signal);
        total.value = wanted.length;
        for (let at = 0; at < wanted.length; at += batch) {
          const seqs = wanted.slice(at, at + batch);
          const input = { ...source, targetId, seqs, ...(confirmed && { confirmed }) };
          const report = await client.captures.replay(input, { signal: mine.signal });
          calls.value = [...calls.value, ...report.calls];
        }
        phase.value = 'done';
      } catch (cause) {
        if (mine !== abort) return;
        phase.value = 'stopped';
        if (!mine.signal.aborted) error.value = cause instanceof Error ? cause.message : String(cause);
      }
    },
    stop: () => abort?.abort(),
  };
}
