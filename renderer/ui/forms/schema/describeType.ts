import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { limitOf, listOf, own, textOf } from './readKeyword.ts';
import { viewSchema, type SchemaView } from './viewSchema.ts';

/** A type in a few words: `integer 0–100`, `string[]`, `enum`, `string | null`. */
export function describeType(view: SchemaView, root: JsonSchema = view.schema): string {
  const base = baseOf(view, root);
  const range = rangeOf(view.schema);
  const words = range === '' ? base : `${base} ${range}`;
  return view.nullable ? `${words} | null` : words;
}

const maxWords = 3;

function baseOf({ schema, types, variants, tooMany }: SchemaView, root: JsonSchema): string {
  if (listOf(schema, 'enum') !== undefined) return 'enum';
  if (own(schema, 'const') !== undefined) return 'const';
  if (variants.length > 0) {
    const words = [...new Set(variants.map(({ label }) => label))];
    return words.length > maxWords ? `${words.slice(0, maxWords).join(' | ')} | …` : words.join(' | ');
  }
  if (tooMany !== undefined) return `${String(tooMany)} kinds`;
  if (types.length === 0) return 'any';
  if (types[0] === 'array') {
    const items = viewSchema(own(schema, 'items'), root).types;
    return items.length === 1 ? `${items[0] ?? ''}[]` : 'array';
  }
  const format = textOf(schema, 'format');
  return types[0] === 'string' && format !== undefined ? format : types.join(' | ');
}

function rangeOf(schema: JsonSchema): string {
  const [least, most] = [limitOf(schema, 'minimum'), limitOf(schema, 'maximum')];
  const [above, below] = [limitOf(schema, 'exclusiveMinimum'), limitOf(schema, 'exclusiveMaximum')];
  const step = limitOf(schema, 'multipleOf');
  const steps = step === undefined || step === '1' ? '' : `× ${step}`;
  const bounds =
    least !== undefined && most !== undefined
      ? [`${least}–${most}`]
      : [
          least === undefined ? '' : `≥ ${least}`,
          above === undefined ? '' : `> ${above}`,
          most === undefined ? '' : `≤ ${most}`,
          below === undefined ? '' : `< ${below}`,
        ];
  return [...bounds, steps].filter((bound) => bound !== '').join(' ');
}
