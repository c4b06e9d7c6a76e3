import type { JsonValue } from '../../../../src-core/contract/types.ts';
import { t } from '../../../i18n/index.ts';
import type { Field } from '../schema/fieldOf.ts';
import { formatSample, formatShape } from '../values/formatSample.ts';

/**
 * What an empty field shows in grey: what the tool would use, else the form of its format or an example. A default never
 * stands in a required field: it looks as if it were filled in, and nothing would be sent.
 */
export function wordPlaceholder({ defaultValue, examples, control, required }: Field): string | undefined {
  const used = required ? undefined : written(defaultValue);
  if (used !== undefined) return used;
  const format = control.kind === 'string' ? (control.format ?? '') : '';
  const sample = written(examples?.[0]) ?? formatShape(format) ?? formatSample(format);
  if (sample === undefined || sample === '') return undefined;
  return sample === formatShape(format) ? sample : t('executor.args.suchAs', { value: sample });
}

function written(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
