/** The name, or with a number behind it the first one that is free. */
export function freeName(name: string, isUsed: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isUsed(free); number += 1) free = `${name}-${number}`;
  return free;
}
