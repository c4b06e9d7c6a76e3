import type { Field } from '../schema/fieldOf.ts';
import { formatSample } from './formatSample.ts';

/** What an empty field shows in grey: what the tool would use, an example, how its format looks. */
export function placeholderOf({ defaultValue, example, control }: Field): string | undefined {
  const shown = defaultValue ?? example;
  if (typeof shown === 'string' && shown !== '') return shown;
  if (shown !== undefined && shown !== null && shown !== '') return JSON.stringify(shown);
  return control.kind === 'string' && control.format !== undefined ? formatSample(control.format) : undefined;
}
