import type { Terminal } from './terminal.ts';

/** ms after which it is noted how many connections were lost, and after which it is noted how many are back. */
const lossMs = 1_000;

/** Notes how many connections were lost, and how many are back after how long. */
export function noteLosses({ note }: Pick<Terminal, 'note'>): {
  lost: () => void;
  back: () => void;
  close: () => void;
} {
  let [count, away, since] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;
  const say = (): void => {
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    const lost = count === 1 ? '1 connection was lost' : `${count} connections were lost`;
    const back = count - away === 1 ? '1 is back' : `${count - away} are back`;
    note(`toolwire: ${lost}${away < count ? `; ${back} after ${seconds} s` : ''}.\n`);
    clearTimeout(timer);
    timer = undefined;
  };
  const changed = (): void => {
    if (away > 0) timer ??= setTimeout(say, lossMs);
    else {
      say();
      count = 0;
    }
  };
  return {
    lost() {
      if (count === 0) since = performance.now();
      count += 1;
      away += 1;
      changed();
    },
    back() {
      away -= 1;
      changed();
    },
    close: () => clearTimeout(timer),
  };
}
