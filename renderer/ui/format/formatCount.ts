const format = new Intl.NumberFormat('en-US');

/** A whole number with its thousands apart: `100,000`. */
export function formatCount(count: number): string {
  return format.format(count);
}
