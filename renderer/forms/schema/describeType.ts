import { listOf, numberOf, own, viewSchema, type SchemaView } from './schemaView.ts';

/** A type in a few words: `integer 0–100`, `string[]`, `enum`, `string | null`. */
export function describeType({ schema, types, nullable }: SchemaView): string {
  const base = baseOf({ schema, types, nullable });
  const range = rangeOf(schema);
  const words = range === '' ? base : `${base} ${range}`;
  return nullable ? `${words} | null` : words;
}

function baseOf({ schema, types }: SchemaView): string {
  if (listOf(schema, 'enum') !== undefined) return 'enum';
  if (own(schema, 'const') !== undefined) return 'const';
  if (types.length === 0) return 'any';
  if (types.length === 1 && types[0] === 'array') {
    const items = viewSchema(own(schema, 'items'), schema).types;
    return items.length === 1 ? `${items[0] ?? ''}[]` : 'array';
  }
  return types.join(' | ');
}

function rangeOf(schema: SchemaView['schema']): string {
  const least = numberOf(schema, 'minimum');
  const most = numberOf(schema, 'maximum');
  const above = numberOf(schema, 'exclusiveMinimum');
  const below = numberOf(schema, 'exclusiveMaximum');
  if (least !== undefined && most !== undefined) return `${String(least)}–${String(most)}`;
  const bounds = [
    least === undefined ? '' : `≥ ${String(least)}`,
    above === undefined ? '' : `> ${String(above)}`,
    most === undefined ? '' : `≤ ${String(most)}`,
    below === undefined ? '' : `< ${String(below)}`,
  ];
  return bounds.filter((bound) => bound !== '').join(' ');
}
