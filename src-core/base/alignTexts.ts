/** Two lists in one order: texts that both have are paired, others are alone. Takes as many steps as the product of both. */
export function alignTexts(
  a: readonly string[],
  b: readonly string[],
): [left: string | undefined, right: string | undefined][] {
  const width = b.length + 1;
  // Cell (i, j): how many texts in order a[i…] and b[j…] have in common.
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const pairs: [string | undefined, string | undefined][] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]];
    if (one !== undefined && one === other) {
      pairs.push([one, other]);
      i += 1;
      j += 1;
    } else if (other === undefined || (one !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      pairs.push([one, undefined]);
      i += 1;
    } else {
      pairs.push([undefined, other]);
      j += 1;
    }
  }
  return pairs;
}
