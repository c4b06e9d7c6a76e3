import ts from 'typescript';
import type { JsonObject } from '../../src-core/base/json.ts';

/**
 * The JSON Schema of an exported type of a declaration file, read by the compiler. Objects take no property that the type
 * does not name; `unknown` takes anything.
 */
export function typeSchema(file: string, typeName: string): JsonObject {
  const program = ts.createProgram([file], { strict: true, skipLibCheck: true, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === typeName);
  if (symbol === undefined) throw new Error(`${file} exports no type ${typeName}.`);

  const definitions: JsonObject = {};
  const names = new Map<ts.Type, string>();

  function schemaOf(type: ts.Type): JsonObject {
    if (type.isUnion()) return { anyOf: type.types.filter(({ flags }) => !isUndefined(flags)).map(schemaOf) };
    // `string & {}` keeps an editor's proposals for a string that may be anything.
    if (type.isIntersection()) return { allOf: type.types.filter((part) => !isEmpty(part)).map(schemaOf) };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    const { flags } = type;
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.String) return { type: 'string' };
    if (flags & ts.TypeFlags.Number) return { type: 'number' };
    if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {};
    if (!(flags & ts.TypeFlags.Object)) throw new Error(`No schema for ${checker.typeToString(type)}.`);
    return checker.isArrayType(type) ? listOf(type) : reference(type);
  }

  function listOf(type: ts.Type): JsonObject {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return { type: 'array', ...(item && { items: schemaOf(item) }) };
  }

  /** By name, since types refer to themselves. */
  function reference(type: ts.Type): JsonObject {
    let name = names.get(type);
    if (name === undefined) {
      name = `t${names.size}`;
      names.set(type, name);
      definitions[name] = objectOf(type);
    }
    return { $ref: `#/$defs/${name}` };
  }

  function objectOf(type: ts.Type): JsonObject {
    const properties: JsonObject = {};
    const required: string[] = [];
    for (const property of type.getProperties()) {
      properties[property.name] = schemaOf(checker.getTypeOfSymbol(property));
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    }
    const index = type.getStringIndexType();
    return {
      type: 'object',
      properties,
      required,
      additionalProperties: index === undefined ? false : schemaOf(index),
    };
  }

  const schema = schemaOf(checker.getDeclaredTypeOfSymbol(symbol));
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $defs: definitions };
}

function isUndefined(flags: ts.TypeFlags): boolean {
  return (flags & ts.TypeFlags.Undefined) !== 0;
}

function isEmpty(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Object) !== 0 && type.getProperties().length === 0;
}
