import { en } from '../../i18n/en/index.ts';
import { language, t } from '../../i18n/index.ts';

type NoteKey = keyof typeof en.devices.log.note;

/** Each of the engine's sentences as a pattern, the longest first: the general ones would take the special ones for theirs. */
const patterns = (Object.entries(en.devices.log.note) as [NoteKey, string][])
  .toSorted(([, a], [, b]) => b.replace(/\{\w+\}/g, '').length - a.replace(/\{\w+\}/g, '').length)
  .map(([key, sentence]) => ({ key, pattern: toPattern(sentence) }));

function toPattern(sentence: string): RegExp {
  const escaped = sentence.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>.+)')}$`);
}

/** What a frame is, in the window's language: the engine's own sentences are worded, names and a device's words stay. */
export function wordSummary(summary: string, depth = 0): string {
  if (language.value === 'en' || depth > 3) return summary;
  for (const { key, pattern } of patterns) {
    const found = pattern.exec(summary);
    if (!found) continue;
    const { what, ...rest } = found.groups ?? {};
    return t(`devices.log.note.${key}`, { ...rest, ...(what !== undefined && { what: wordSummary(what, depth + 1) }) });
  }
  return summary;
}
