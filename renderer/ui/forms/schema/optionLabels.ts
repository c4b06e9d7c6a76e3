import type { JsonValue } from '../../../../src-core/contract/types.ts';
import { parseJsonText } from '../json/parseJsonText.ts';

/**
 * Labels of the values of a choice: their titles (by JSON text), otherwise the values. If there are other kinds of
 * values, a text that looks like one of them keeps its quotes. If two values have the same title, the value is
 * appended.
 */
export function optionLabels(options: readonly JsonValue[], titles: ReadonlyMap<string, string> = new Map()): string[] {
  const mixed = options.some((option) => typeof option !== 'string');
  const labels = options.map((option) => {
    const json = JSON.stringify(option);
    const plain = typeof option === 'string' && option !== '' && !(mixed && parseJsonText(option).ok);
    return titles.get(json) ?? (plain ? option : json);
  });
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return labels.map((label, at) =>
    (counts.get(label) ?? 0) > 1 && titles.has(JSON.stringify(options[at]))
      ? `${label} (${JSON.stringify(options[at])})`
      : label,
  );
}
