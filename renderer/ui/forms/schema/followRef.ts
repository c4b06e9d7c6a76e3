import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { asObject, own, textOf } from './readKeyword.ts';

/** Schemas of one document by the names that a `$ref` may use besides their path: `$anchor`, `$id`. */
type Names = ReadonlyMap<string, JsonSchema>;

const maxSchemas = 20_000;
const namesOf = new WeakMap<JsonSchema, Names>();

/** Resolves a reference inside the document `root`; undefined if it is external or has no target. */
export function followRef(ref: string, root: JsonSchema): JsonValue | undefined {
  if (ref === '#' || ref === textOf(root, '$id')) return root;
  if (ref.startsWith('#/')) return pointerIn(root, ref.slice(1));
  let names = namesOf.get(root);
  if (names === undefined) namesOf.set(root, (names = readNames(root)));
  const named = names.get(ref);
  if (named !== undefined) return named;
  const [id = '', fragment = ''] = ref.split('#');
  const base = id === textOf(root, '$id') ? root : names.get(id);
  return base !== undefined && fragment.startsWith('/') ? pointerIn(base, fragment) : undefined;
}

function pointerIn(root: JsonSchema, pointer: string): JsonValue | undefined {
  let node: JsonValue | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const holder: JsonSchema | undefined = asObject(node);
    node = Array.isArray(node) ? node[Number(key)] : holder && own(holder, key);
  }
  return node;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A per cent sign without an escape sequence is literal.
    return part;
  }
}

function readNames(root: JsonSchema): Names {
  const names = new Map<string, JsonSchema>();
  const waiting: JsonValue[] = [root];
  for (let seen = 0; waiting.length > 0 && seen < maxSchemas; seen += 1) {
    const next = waiting.pop();
    const schema = asObject(next);
    if (schema !== undefined) {
      const id = textOf(schema, '$id');
      const anchor = textOf(schema, '$anchor');
      if (id !== undefined) names.set(id, schema);
      if (anchor !== undefined) names.set(`#${anchor}`, schema);
    }
    const inside = Array.isArray(next) ? next : Object.values(schema ?? {});
    // Pushed one by one, because a call accepts only about 100,000 arguments.
    for (const one of inside) if (typeof one === 'object') waiting.push(one);
  }
  return names;
}
