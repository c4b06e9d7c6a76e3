/** Maximum number of drawn characters of a line. */
const most = 2_000;
/** Characters before the first difference that are drawn with it. */
const before = 80;

/** Returns the shown part of two lines: long lines start shortly before their first difference. */
export function shownPart(
  left: string | undefined,
  right: string | undefined,
): { left: string | undefined; right: string | undefined } {
  if ((left?.length ?? 0) <= most && (right?.length ?? 0) <= most) return { left, right };
  let differ = 0;
  if (left !== undefined && right !== undefined && left !== right) while (left[differ] === right[differ]) differ += 1;
  const from = differ + before < most ? 0 : differ - before;
  const part = (text: string | undefined): string | undefined =>
    text && `${from > 0 ? '…' : ''}${text.slice(from, from + most)}${text.length > from + most ? '…' : ''}`;
  return { left: part(left), right: part(right) };
}
