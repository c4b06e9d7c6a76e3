/** A number as a C int has it: cut, and held at the ends of 32 bits. */
export function toInt32(value: number): number {
  return Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.trunc(value)));
}
