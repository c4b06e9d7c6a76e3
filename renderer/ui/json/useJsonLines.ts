import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';

import { inTurns } from './inTurns.ts';
import { JsonScan, type JsonLines } from './jsonScan.ts';

/** The lines of a JSON text: `undefined` while the text is parsed, `false` if it is not valid JSON. Short texts are parsed synchronously. */
export function useJsonLines(text: () => string): ShallowRef<JsonLines | false | undefined> {
  const lines = shallowRef<JsonLines | false>();
  let reading = new AbortController();
  watch(
    text,
    (now) => {
      reading.abort();
      reading = new AbortController();
      lines.value = undefined;
      const scan = new JsonScan(now);
      inTurns(
        (isTime) => scan.run(isTime),
        (found) => (lines.value = found),
        reading.signal,
      );
    },
    { immediate: true },
  );
  onScopeDispose(() => reading.abort());
  return lines;
}
