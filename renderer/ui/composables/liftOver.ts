type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** px between a box and what it keeps clear of, and at the top of the window. */
const gap = 8;

/** Returns how many px a box at the bottom moves up to cover none of the others; 0 if there is no such place in the window. */
export function liftOver(box: Box, others: readonly Box[]): number {
  let lift = 0;
  for (const other of [...others].sort((a, b) => b.bottom - a.bottom)) {
    const isBeside = other.right <= box.left || other.left >= box.right;
    if (isBeside || other.bottom <= box.top - lift || other.top >= box.bottom - lift) continue;
    lift = box.bottom - other.top + gap;
  }
  return box.top - lift < gap ? 0 : lift;
}
