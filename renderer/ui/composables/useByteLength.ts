import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';

import { inTurns } from '../json/inTurns.ts';

/** UTF-16 units between two looks at the clock. */
const unitsAtOnce = 65_536;

/** How many bytes a text takes in UTF-8: `undefined` while a long one is counted, in turns. Short ones are counted at once. */
export function useByteLength(text: () => string): ShallowRef<number | undefined> {
  const bytes = shallowRef<number>();
  let counting = new AbortController();
  watch(
    text,
    (now) => {
      counting.abort();
      counting = new AbortController();
      bytes.value = undefined;
      let at = 0;
      let sum = 0;
      inTurns(
        (isTime) => {
          while (at < now.length) {
            const end = Math.min(now.length, at + unitsAtOnce);
            // Each half of a surrogate pair is two of its four bytes.
            for (; at < end; at += 1) {
              const unit = now.charCodeAt(at);
              sum += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
            }
            if (isTime()) return undefined;
          }
          return sum;
        },
        (counted) => (bytes.value = counted),
        counting.signal,
      );
    },
    { immediate: true },
  );
  onScopeDispose(() => counting.abort());
  return bytes;
}
