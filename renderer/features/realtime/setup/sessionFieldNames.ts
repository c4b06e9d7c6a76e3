import { t } from '../../../i18n/index.ts';

const names = [
  'output',
  'transcription',
  'transcriptionModel',
  'language',
  'detection',
  'silence',
  'threshold',
  'prefixPadding',
  'eagerness',
  'temperature',
  'speed',
  'extra',
] as const;

/** The names of the fields of SessionFields.vue, by which a search finds them. */
export function sessionFieldNames(): { label: string }[] {
  return names.map((name) => ({ label: t(`realtime.options.${name}`) }));
}
