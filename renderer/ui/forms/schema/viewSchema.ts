import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { numberText } from '../json/exactNumber.ts';
import { asObject, listOf, own, textOf, without, objectOf } from './readKeyword.ts';
import { followRef } from './followRef.ts';
import { compareNumbers } from '../json/decimal.ts';

const lowest = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

const highest = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);

/** Parts that are joined into one schema. */
const maxSteps = 512;

/** One of the alternatives for a value. */
export interface Variant {
  label: string;
  schema: JsonSchema;
}

/** What the form and its texts need from one schema node. */
export interface SchemaView {
  /** With resolved references, merged `allOf`, and simplified `T or null`. */
  schema: JsonSchema;
  /** JSON Schema types except `null`; empty if the schema names none. */
  types: string[];
  nullable: boolean;
  /** Titles of the values of a choice, by their JSON text. */
  titles: ReadonlyMap<string, string>;
  /** Two or more if the value is one of several kinds; empty otherwise. */
  variants: Variant[];
  /** The number of kinds, if there are too many to choose from. `variants` is empty then. */
  tooMany?: number;
}

const untitled: ReadonlyMap<string, string> = new Map();
const views = new WeakMap<JsonSchema, WeakMap<JsonSchema, SchemaView>>();

/** A schema as a form needs it; references are looked up in `root`. Untrusted: own keys only, bounded steps. */
export function viewSchema(schema: JsonValue | undefined, root: JsonSchema): SchemaView {
  const node = asObject(schema);
  if (node === undefined) return { schema: {}, types: [], nullable: false, titles: untitled, variants: [] };
  let known = views.get(root);
  if (known === undefined) views.set(root, (known = new WeakMap()));
  let view = known.get(node);
  if (view === undefined) known.set(node, (view = read(node, root)));
  return view;
}

const maxFolds = 8;
const maxVariants = 50;

function read(node: JsonSchema, root: JsonSchema): SchemaView {
  let schema = flattenSchema(node, root);
  let nullable = false;
  let titles = untitled;
  for (let fold = 0; fold < maxFolds; fold += 1) {
    const key = ['oneOf', 'anyOf'].find((one) => listOf(schema, one) !== undefined);
    if (key === undefined) break;
    const branches = (listOf(schema, key) ?? []).map((branch) => ({ branch, flat: flattenSchema(branch, root) }));
    const base = without(schema, [key]);
    const rest = branches.filter(({ flat }) => own(flat, 'type') !== 'null');
    const hasNull = rest.length < branches.length;
    const [only] = rest;
    if (only !== undefined && rest.length === 1) {
      nullable ||= hasNull;
      schema = mergeSchemas(base, only.flat);
      continue;
    }
    // Alternatives that only state which names belong together do not change the form. The check covers them.
    if (rest.every(({ flat }) => Object.keys(flat).every((name) => conditions.has(name)))) {
      schema = base;
      continue;
    }
    nullable ||= hasNull;
    const choice = choiceOf(rest.map(({ flat }) => flat));
    if (choice !== undefined) {
      schema = mergeSchemas(base, { enum: choice.map(({ value }) => value) });
      titles = new Map(choice.flatMap(({ value, title }) => (title ? [[JSON.stringify(value), title] as const] : [])));
      continue;
    }
    if (rest.length > maxVariants)
      return { schema: base, types: [], nullable, titles, variants: [], tooMany: rest.length };
    const variants = labelled(
      rest.map(({ branch, flat }) => ({ label: labelOf(branch, flat, root), schema: mergeSchemas(base, flat) })),
    );
    return { schema: base, types: [], nullable, titles, variants };
  }
  return viewTypes(schema, nullable, titles.size > 0 ? titles : namesOf(schema));
}

const conditions = new Set(['required', 'not', 'description', 'title', '$comment']);

/** Alternatives with one value each form a choice, each with its title. */
function choiceOf(branches: JsonSchema[]): { value: JsonValue; title: string | undefined }[] | undefined {
  const all = branches.every((branch) => own(branch, 'const') !== undefined || listOf(branch, 'enum') !== undefined);
  if (!all) return undefined;
  return branches.flatMap((branch) => {
    const only = own(branch, 'const');
    const options = listOf(branch, 'enum') ?? (only === undefined ? [] : [only]);
    const title = options.length === 1 ? textOf(branch, 'title') || textOf(branch, 'description') : undefined;
    return options.map((value) => ({ value, title }));
  });
}

/** Titles beside an `enum`: `enumNames`, as used by MCP's elicitation and older schemas. */
function namesOf(schema: JsonSchema): ReadonlyMap<string, string> {
  const [options, names] = [listOf(schema, 'enum') ?? [], listOf(schema, 'enumNames') ?? []];
  return new Map(
    options.flatMap((option, at) => {
      const name = names[at];
      return typeof name === 'string' && name !== '' ? [[JSON.stringify(option), name] as const] : [];
    }),
  );
}

function viewTypes(given: JsonSchema, nullable: boolean, titles: ReadonlyMap<string, string>): SchemaView {
  const schema = withNull(given);
  const named = typesOf(schema);
  const types = named.filter((type) => type !== 'null' && !(type === 'integer' && named.includes('number')));
  const view = { schema, types, nullable: nullable || named.includes('null'), titles };
  if (types.length < 2 || listOf(schema, 'enum') !== undefined) return { ...view, variants: [] };
  return { ...view, variants: types.map((type) => ({ label: type, schema: { ...schema, type } })) };
}

/** Converts OpenAPI 3.0's `nullable: true` beside a type to JSON Schema. */
function withNull(schema: JsonSchema): JsonSchema {
  const type = own(schema, 'type');
  if (own(schema, 'nullable') !== true || type === undefined) return schema;
  const options = listOf(schema, 'enum');
  return {
    ...without(schema, ['nullable']),
    type: [...new Set([type, 'null'].flat())],
    ...(options === undefined || options.includes(null) ? {} : { enum: [...options, null] }),
  };
}

const inferred: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'patternProperties', 'additionalProperties', 'required']],
  ['array', ['items', 'prefixItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

function typesOf(schema: JsonSchema): string[] {
  const type = own(schema, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  if (listOf(schema, 'enum') !== undefined || own(schema, 'const') !== undefined) return [];
  const meant = inferred.find(([, keywords]) => keywords.some((key) => own(schema, key) !== undefined));
  return meant === undefined ? [] : [meant[0]];
}

/** A variant's name: its title, its distinguishing value, its name in the reference, or its type. */
function labelOf(branch: JsonValue, flat: JsonSchema, root: JsonSchema): string {
  const title = textOf(flat, 'title');
  if (title !== undefined && title !== '') return title;
  for (const property of Object.values(asObject(own(flat, 'properties')) ?? {})) {
    // Not its view, which could recurse.
    const schema = flattenSchema(property, root);
    const mark =
      own(schema, 'const') ?? (listOf(schema, 'enum')?.length === 1 ? listOf(schema, 'enum')?.[0] : undefined);
    const name = typeof mark === 'string' ? mark : numberText(mark);
    if (name !== undefined) return name;
  }
  const name = textOf(asObject(branch) ?? {}, '$ref')
    ?.split('/')
    .at(-1);
  if (name !== undefined && name !== '#') return name;
  const value = own(flat, 'const');
  if (value !== undefined) return JSON.stringify(value);
  return typesOf(flat).join(' | ') || 'any';
}

function labelled(variants: Variant[]): Variant[] {
  const seen = new Map<string, number>();
  return variants.map(({ label, schema }) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return { label: count === 1 ? label : `${label} ${String(count)}`, schema };
  });
}

/**
 * A schema with its references followed and the parts of `allOf` joined, for drawing. References in a circle, and those
 * that lead outside, say nothing. Properties of `then`, `else`, `dependentSchemas` and `dependencies` stand with the
 * others: whether they are allowed right now is for the check to say.
 */
function flattenSchema(schema: JsonValue | undefined, root: JsonSchema): JsonSchema {
  return flatten(schema, root, { left: maxSteps }, new Set());
}

function flatten(
  schema: JsonValue | undefined,
  root: JsonSchema,
  steps: { left: number },
  path: ReadonlySet<JsonSchema>,
): JsonSchema {
  const node = asObject(schema);
  steps.left -= 1;
  if (node === undefined || steps.left < 0 || path.has(node)) return {};
  const inside = new Set([...path, node]);
  const part = (one: JsonValue | undefined): JsonSchema => flatten(one, root, steps, inside);

  let flat = without(node, ['$ref', 'allOf']);
  const ref = textOf(node, '$ref');
  if (ref !== undefined) flat = mergeSchemas(flat, part(followRef(ref, root)));
  for (const one of listOf(node, 'allOf') ?? []) flat = mergeSchemas(flat, part(one));
  return withConditional(flat, part);
}

function withConditional(flat: JsonSchema, part: (one: JsonValue | undefined) => JsonSchema): JsonSchema {
  const dependent = ['dependentSchemas', 'dependencies'].flatMap((key) =>
    // Draft-07 lists names there, too: they draw nothing.
    Object.values(objectOf(flat, key) ?? {}).filter((one) => !Array.isArray(one)),
  );
  const branches = [own(flat, 'then'), own(flat, 'else'), ...dependent].filter((one) => one !== undefined);
  if (branches.length === 0) return flat;
  const properties: JsonSchema = { ...objectOf(flat, 'properties') };
  for (const branch of branches) {
    for (const [name, property] of Object.entries(objectOf(part(branch), 'properties') ?? {}))
      if (!Object.hasOwn(properties, name)) properties[name] = property;
  }
  // Each branch was read once; a second round would find the same.
  return { ...without(flat, ['then', 'else', 'if', 'dependentSchemas', 'dependencies']), properties };
}

/**
 * Two schemas that both hold, as one to draw a form by: words are the first one's, limits the narrower, properties
 * those of both. What cannot be joined (two patterns) is the first one's; the check looks at the schemas themselves.
 */
function mergeSchemas(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...first };
  for (const [key, value] of Object.entries(second))
    merged[key] = Object.hasOwn(first, key) ? mergeKeyword(key, first[key] ?? null, value) : value;
  return merged;
}

function mergeKeyword(key: string, a: JsonValue, b: JsonValue): JsonValue {
  const [one, other] = [numberText(a), numberText(b)];
  if (one !== undefined && other !== undefined) {
    if (lowest.has(key)) return compareNumbers(one, other) > 0 ? b : a;
    if (highest.has(key)) return compareNumbers(one, other) < 0 ? b : a;
  }
  if (key === 'properties' || key === 'patternProperties') return mergeProperties(a, b);
  if (key === 'required' && Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])];
  if (key === 'type') return mergeTypes(a, b);
  if (key === 'enum' && Array.isArray(a) && Array.isArray(b)) {
    const texts = new Set(b.map((one) => JSON.stringify(one)));
    return a.filter((one) => texts.has(JSON.stringify(one)));
  }
  if (key === 'additionalProperties' && (a === false || b === false)) return false;
  if (key === 'items' && asObject(a) !== undefined && asObject(b) !== undefined) return { allOf: [a, b] };
  return a;
}

function mergeProperties(a: JsonValue, b: JsonValue): JsonValue {
  const [first, second] = [asObject(a) ?? {}, asObject(b) ?? {}];
  const merged: JsonSchema = { ...first };
  for (const [name, property] of Object.entries(second)) {
    const both = Object.hasOwn(first, name) && asObject(first[name]) !== undefined;
    merged[name] = both ? { allOf: [first[name] ?? true, property] } : property;
  }
  return merged;
}

function mergeTypes(a: JsonValue, b: JsonValue): JsonValue {
  const named = (value: JsonValue): JsonValue[] => listOf({ value }, 'value') ?? [value];
  const wanted = new Set(named(b));
  const common = named(a).filter((type) => wanted.has(type) || (type === 'integer' && wanted.has('number')));
  if (named(a).includes('number') && wanted.has('integer') && !common.includes('integer')) common.push('integer');
  return common.length === 1 ? (common[0] ?? a) : common;
}
