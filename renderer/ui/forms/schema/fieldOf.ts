import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import type { JsonPath } from '../json/jsonNode.ts';
import { optionLabels } from './optionLabels.ts';
import { asObject, limitOf, listOf, numberOf, objectOf, own, textOf } from './readKeyword.ts';
import { viewSchema, type SchemaView, type Variant } from './viewSchema.ts';

const maxWords = 3;

/** The control that fits a schema. A part without a suitable control becomes a JSON field, never the whole form. */
export type FieldControl =
  | { kind: 'string'; format?: string; holdsJson: boolean; manyLines: boolean }
  /** Limits and step as written in JSON, so that nothing is rounded. */
  | { kind: 'number'; integer: boolean; minimum?: string; maximum?: string; step?: string }
  | { kind: 'boolean' }
  | ({ kind: 'enum' } & Choice)
  | { kind: 'object'; schema: JsonSchema }
  /** `choice`: the items are some of these, each at most once. */
  | { kind: 'list'; schema: JsonSchema; choice?: Choice }
  | { kind: 'variants'; variants: Variant[] }
  /** `open`: any kind of value; the user chooses the kind. */
  /** `tooMany`: the number of kinds, which are too many to draw. */
  | { kind: 'json'; holds: 'object' | 'array' | 'any'; open?: true; tooMany?: number };

/** Values to choose from, and their labels. */
export interface Choice {
  options: JsonValue[];
  labels: string[];
  /** The values have titles and are shown beside them. */
  titled: boolean;
}

/** One row of the form. */
export interface Field {
  path: JsonPath;
  name: string;
  /** As shown under the name: `integer 0–100`, `string | null`. */
  typeText: string;
  required: boolean;
  nullable: boolean;
  description?: string;
  /** The schema's default, used if nothing is sent. */
  defaultValue?: JsonValue;
  /** The first few of the schema's examples, if it has any. */
  examples?: JsonValue[];
  /** Values to choose from that are too many for a list, so one of them is typed. */
  choices?: readonly JsonValue[];
  /** Further marks of the schema: deprecated, or set by the tool itself. */
  marks: ('deprecated' | 'readOnly')[];
  /** The schema used for drawing, with resolved references and merged parts. */
  schema: JsonSchema;
  /** As in `FieldOptions`. */
  kinds: number;
  control: FieldControl;
}

/** The place of a value, and its schema. */
export interface FieldOptions {
  schema: JsonValue | undefined;
  /** The whole document, in which `$ref` is looked up. */
  root: JsonSchema;
  path: JsonPath;
  name: string;
  required: boolean;
  /** Number of nested choices of a kind for the same value. Limits recursive kinds. */
  kinds?: number;
}

const maxExamples = 5;
/** Maximum number of nested choices that are drawn. Deeper ones become a JSON field. */
const maxKinds = 4;

/** The row for one value. Never throws, whatever the schema is. */
export function fieldOf({ schema, root, path, name, required, kinds = 0 }: FieldOptions): Field {
  const view = viewSchema(schema, root);
  const description = textOf(view.schema, 'description') || textOf(view.schema, 'title');
  const defaultValue = own(view.schema, 'default');
  const examples = listOf(view.schema, 'examples')?.slice(0, maxExamples) ?? [];
  const choices = listOf(view.schema, 'enum') ?? [];
  return {
    path,
    name,
    required,
    typeText: describeType(view, root),
    nullable: view.nullable,
    ...(description ? { description } : {}),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(examples.length === 0 ? {} : { examples }),
    ...(choices.length > maxChoices ? { choices } : {}),
    marks: (['deprecated', 'readOnly'] as const).filter((mark) => own(view.schema, mark) === true),
    schema: view.schema,
    kinds,
    control: view.variants.length > 0 && kinds >= maxKinds ? { kind: 'json', holds: 'any' } : controlOf(view, root),
  };
}

/** Chromium needs over 100 ms to open a longer list. Such a value is typed. */
const maxChoices = 100;

function controlOf(view: SchemaView, root: JsonSchema): FieldControl {
  const { schema, types, variants } = view;
  const choice = choiceOf(view);
  if (choice !== undefined && choice.options.length <= maxChoices) return { kind: 'enum', ...choice };
  if (variants.length > 0) return { kind: 'variants', variants };
  if (view.tooMany !== undefined) return { kind: 'json', holds: 'any', tooMany: view.tooMany };
  switch (types[0]) {
    case 'string':
      return stringControl(schema);
    case 'boolean':
      return { kind: 'boolean' };
    case 'integer':
    case 'number':
      return numberControl(schema, types[0] === 'integer');
    case 'array':
      return hasItems(schema) ? listControl(schema, root) : { kind: 'json', holds: 'array' };
    case 'object':
      return hasMembers(schema) ? { kind: 'object', schema } : { kind: 'json', holds: 'object' };
    default:
      return { kind: 'json', holds: 'any', ...(own(schema, 'type') === undefined ? { open: true } : {}) };
  }
}

function choiceOf({ schema, titles }: SchemaView): Choice | undefined {
  const only = own(schema, 'const');
  const options = listOf(schema, 'enum') ?? [];
  const all = options.length > 0 || only === undefined ? options : [only];
  if (all.length === 0) return undefined;
  return { options: all, labels: optionLabels(all, titles), titled: titles.size > 0 };
}

/** More checkboxes are harder to read than rows. */
const maxBoxes = 40;

function listControl(schema: JsonSchema, root: JsonSchema): FieldControl {
  const items = own(schema, 'uniqueItems') === true ? viewSchema(own(schema, 'items'), root) : undefined;
  const choice =
    items === undefined || items.nullable || own(schema, 'prefixItems') !== undefined ? undefined : choiceOf(items);
  const boxes = choice !== undefined && choice.options.length <= maxBoxes;
  return { kind: 'list', schema, ...(boxes ? { choice } : {}) };
}

function hasItems(schema: JsonSchema): boolean {
  return (
    objectOf(schema, 'items') !== undefined ||
    (listOf(schema, 'prefixItems') ?? listOf(schema, 'items') ?? []).length > 0
  );
}

function hasMembers(schema: JsonSchema): boolean {
  const named = Object.keys(objectOf(schema, 'properties') ?? {}).length + (listOf(schema, 'required') ?? []).length;
  const free = asObject(own(schema, 'additionalProperties')) ?? objectOf(schema, 'patternProperties');
  return named > 0 || free !== undefined;
}

const formatsOfLines = new Set(['textarea', 'multiline', 'multi-line', 'markdown', 'html', 'code']);
/** A text has several lines if its maximum or minimum length exceeds these numbers of characters. */
const longLine = { most: 500, least: 100 };

/** Whether the schema indicates a text of several lines: by its format, its length, its default or its examples. */
function holdsLines(schema: JsonSchema): boolean {
  if (formatsOfLines.has(textOf(schema, 'format') ?? '')) return true;
  if (/^text\//i.test(textOf(schema, 'contentMediaType') ?? '')) return true;
  const [least, most] = [numberOf(schema, 'minLength') ?? 0, numberOf(schema, 'maxLength') ?? 0];
  if (least > longLine.least || most > longLine.most) return true;
  const shown = [own(schema, 'default'), ...(listOf(schema, 'examples') ?? [])];
  return shown.some((value) => typeof value === 'string' && value.includes('\n'));
}

function stringControl(schema: JsonSchema): FieldControl {
  const format = textOf(schema, 'format');
  const media = textOf(schema, 'contentMediaType') ?? '';
  const holdsJson = /^application\/(\w+\+)?json$/i.test(media) || format === 'json';
  return {
    kind: 'string',
    holdsJson,
    manyLines: holdsJson || holdsLines(schema),
    ...(format === undefined ? {} : { format }),
  };
}

function numberControl(schema: JsonSchema, integer: boolean): FieldControl {
  const minimum = limitOf(schema, 'minimum');
  const maximum = limitOf(schema, 'maximum');
  const step = limitOf(schema, 'multipleOf');
  return {
    kind: 'number',
    integer,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(step === undefined ? {} : { step }),
  };
}

/** A type in a few words: `integer 0–100`, `string[]`, `enum`, `string | null`. */
function describeType(view: SchemaView, root: JsonSchema = view.schema): string {
  const base = baseOf(view, root);
  const range = rangeOf(view.schema);
  const words = range === '' ? base : `${base} ${range}`;
  return view.nullable ? `${words} | null` : words;
}

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
  const steps = step === undefined || step === '1' ? '' : `multipleOf ${step}`;
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
