import { computed, type ComputedRef } from 'vue';

/** UTF-16 units up to which a text is read again with every addition. */
const short = 8_000;

/**
 * Whether a text of `length`, of which `read` UTF-16 units were read, is read again. A long one must have grown by an eighth,
 * so that all readings of a text that comes in many pieces take linear time.
 */
export function isDue(read: number, length: number): boolean {
  return length <= short || length < read || length - read >= read / 8;
}

/** A text that grows while it is `coming`, as it is to be shown: a long one may lack its newest eighth until it is complete. */
export function useGrowingText(text: () => string, coming: () => boolean): ComputedRef<string> {
  return computed<string>((shown) => {
    const now = text();
    return shown !== undefined && coming() && !isDue(shown.length, now.length) ? shown : now;
  });
}
