import { isExactNumber } from '../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../base/json.ts';
import { isPattern, keywordReaders } from './schemaKeywords.ts';

/** A schema with nothing in it that a reader could stumble over. */
export interface CleanSchema {
  root: JsonSchema;
  warnings: string[];
  /** Keywords whose value JSON Schema does not allow, as JSON pointers. Patterns of other dialects are none. */
  faults: string[];
  /** Every schema with a `$ref`, and where it stands. */
  references: { holder: JsonSchema; location: string }[];
  /** It has a keyword whose work does not follow from the number of schemas and values. */
  isSlow: boolean;
}

/** Levels of schemas in schemas, and of references that lead to references, which are read. */
export const maximumSchemaDepth = 48;
const maximumSchemas = 2_000;
const maximumWarnings = 20;
/** The validator keeps the location of every schema, so long names in long names would fill the memory. */
const maximumLocation = 2_000;

/** The keywords whose work does not follow from the number of schemas and values. */
const slowKeywords = ['$ref', 'pattern', 'patternProperties', 'format', 'uniqueItems'];

type Reader = (value: unknown, location: string, depth: number) => JsonValue | undefined;

/**
 * Copies an untrusted schema keyword by keyword: what is not of the keyword's type is left out with a warning, and so
 * is what lies too deep or is too much. Anything that is not a schema counts as one that accepts everything.
 */
export function cleanSchema(input: unknown): CleanSchema {
  const warnings: string[] = [];
  const faults: string[] = [];
  const references: CleanSchema['references'] = [];
  let isSlow = false;
  let schemas = 0;

  function warn(location: string, message: string): void {
    if (warnings.length < maximumWarnings) warnings.push(`${location}: ${message}`);
  }

  function fault(location: string): void {
    if (faults.length < maximumWarnings) faults.push(location);
  }

  const one: Reader = (value, location, depth) => {
    if (typeof value === 'boolean') return value;
    schemas += 1;
    if (schemas > maximumSchemas || depth > maximumSchemaDepth || location.length > maximumLocation) {
      warn(location, 'the schema is too large or too deep; the rest of it is not checked.');
      return true;
    }
    if (isRecord(value)) return readKeywords(value, location, depth);
    fault(location);
    warn(location, 'a schema should be here; anything is accepted.');
    return true;
  };

  const subschemaReaders = createSubschemaReaders(one, warn);

  function readKeywords(source: Record<string, unknown>, location: string, depth: number): JsonSchema {
    const schema = Object.create(null) as JsonSchema;
    for (const [keyword, value] of Object.entries(source)) {
      const here = `${location}/${keyword}`;
      const reader: Reader | undefined = subschemaReaders.get(keyword) ?? keywordReaders.get(keyword);
      const clean = reader === undefined ? readUnknown(keyword, value, here, depth) : reader(value, here, depth + 1);
      if (clean !== undefined) schema[keyword] = clean;
      else if (reader !== undefined && !isExpectedLoss(keyword, value)) {
        warn(here, `"${keyword}" has an invalid value and is not checked.`);
        if (!isOtherDialect(keyword, value)) fault(here);
      }
    }
    readOlderDialects(source, schema);
    if (schema.$ref !== undefined) references.push({ holder: schema, location });
    isSlow ||= slowKeywords.some((keyword) => schema[keyword] !== undefined);
    return schema;
  }

  /** An unknown keyword may hold schemas that a `$ref` points at; its other contents are ignored. */
  function readUnknown(keyword: string, value: unknown, location: string, depth: number): JsonValue | undefined {
    if (!isRecord(value) || !keyword.isWellFormed() || keyword.startsWith('__absolute')) return undefined;
    const known = [warnings.length, faults.length] as const;
    const clean = one(value, location, depth + 1);
    [warnings.length, faults.length] = known;
    return clean;
  }

  const root = one(input ?? {}, '#', 0);
  return {
    root: isJsonObject(root) ? root : (Object.create(null) as JsonSchema),
    warnings,
    faults,
    references,
    isSlow,
  };
}

/** The readers of the keywords that contain schemas, each of which `one` reads. */
function createSubschemaReaders(
  one: Reader,
  warn: (location: string, message: string) => void,
): ReadonlyMap<string, Reader> {
  const list: Reader = (value, location, depth) =>
    Array.isArray(value) && value.length > 0
      ? value.map((item, i) => one(item, `${location}/${i}`, depth) ?? true)
      : undefined;

  const map =
    (item: Reader, isUsableKey = (key: string): boolean => key.isWellFormed()): Reader =>
    (value, location, depth) => {
      if (!isRecord(value)) return undefined;
      const result = Object.create(null) as JsonObject;
      for (const [key, entry] of Object.entries(value)) {
        const clean = isUsableKey(key) ? item(entry, `${location}/${key}`, depth) : undefined;
        if (clean === undefined) warn(`${location}/${key}`, 'this entry cannot be used; it is not checked.');
        else result[key] = clean;
      }
      return result;
    };

  const oneOrList: Reader = (value, ...where) => (Array.isArray(value) ? list(value, ...where) : one(value, ...where));
  const oneOrNames: Reader = (value, ...where) =>
    Array.isArray(value) ? keywordReaders.get('required')?.(value) : one(value, ...where);

  return new Map<string, Reader>([
    ...['not', 'if', 'then', 'else', 'additionalProperties', 'propertyNames', 'contains'].map(entryWith(one)),
    ...['unevaluatedProperties', 'unevaluatedItems', 'additionalItems'].map(entryWith(one)),
    ...['anyOf', 'allOf', 'oneOf', 'prefixItems'].map(entryWith(list)),
    ['properties', marksFirst(map(one))],
    ...['$defs', 'definitions', 'dependentSchemas'].map(entryWith(map(one))),
    ['items', oneOrList],
    ['patternProperties', map(one, isPattern)],
    ['dependentRequired', map((value) => keywordReaders.get('required')?.(value))],
    ['dependencies', map(oneOrNames)],
  ]);
}

/** Adds to a schema what draft 4 and OpenAPI 3.0 write as flags. */
function readOlderDialects(source: Record<string, unknown>, schema: JsonSchema): void {
  if (source.exclusiveMinimum === true && schema.minimum !== undefined) schema.exclusiveMinimum = schema.minimum;
  if (source.exclusiveMaximum === true && schema.maximum !== undefined) schema.exclusiveMaximum = schema.maximum;
  if (source.nullable === true) acceptNull(schema);
}

/** `nullable: true` is how OpenAPI 3.0 writes that null is accepted beside the type, and generated servers still do. */
function acceptNull(schema: JsonSchema): void {
  if (schema.type === undefined) return;
  schema.type = [...new Set([schema.type, 'null'].flat())];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
}

/**
 * Properties in an order that ends a check soon: of alternatives, nearly all are told apart by a property of one value, and
 * the validator looks at properties one after the other. Those of the arguments themselves stay as the user reads them.
 */
function marksFirst(reader: Reader): Reader {
  return (value, location, depth) => {
    const clean = reader(value, location, depth);
    if (depth === 1 || !isJsonObject(clean)) return clean;
    const [marks, others] = [Object.create(null) as JsonObject, Object.create(null) as JsonObject];
    for (const [name, part] of Object.entries(clean)) {
      const isMark = isJsonObject(part) && (part['const'] !== undefined || part['enum'] !== undefined);
      (isMark ? marks : others)[name] = part;
    }
    return Object.assign(marks, others);
  };
}

function entryWith(reader: Reader): (keyword: string) => [string, Reader] {
  return (keyword) => [keyword, reader];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** What is left out without a word: unchecked formats are mere notes in draft 2020-12, and the flags are read above. */
function isExpectedLoss(keyword: string, value: unknown): boolean {
  if (keyword === 'format' || keyword === 'id') return typeof value === 'string';
  return (keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') && typeof value === 'boolean';
}

/** Values that some dialect of JSON Schema allows, though they cannot be checked here. */
function isOtherDialect(keyword: string, value: unknown): boolean {
  if (keyword === 'pattern') return typeof value === 'string';
  if (keyword === 'examples') return Array.isArray(value);
  return keyword === 'id' || keyword.startsWith('$');
}
