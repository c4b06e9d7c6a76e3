import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { propertyOf, type ObjectContent } from '../json/jsonNode.ts';
import { followRef } from '../schema/followRef.ts';
import { asObject, objectOf, own, textOf } from '../schema/readKeyword.ts';
import type { CheckRun, Place } from './checkRun.ts';
import { checkType } from './checkType.ts';
import type { LocalIssue } from './localIssue.ts';

/** Of alternatives, nearly all are told apart by a property of one value (`kind: "circle"`): it is looked at first. */
export function wrongMark(
  node: ObjectContent,
  schema: JsonSchema,
  { path }: Place,
  { root }: CheckRun,
): LocalIssue | undefined {
  for (const [name, property] of Object.entries(objectOf(schema, 'properties') ?? {})) {
    const part = asObject(property);
    if (part === undefined) continue;
    const ref = textOf(part, '$ref');
    const mark = (ref === undefined ? undefined : asObject(followRef(ref, root))) ?? part;
    if (own(mark, 'const') === undefined && own(mark, 'enum') === undefined) continue;
    const value = propertyOf(node, name)?.value;
    const wrong = value && checkType(value, mark, [...path, name]);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
