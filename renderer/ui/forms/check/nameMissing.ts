import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { fieldOf } from '../schema/fieldOf.ts';
import { fieldsOf } from '../schema/fieldsOf.ts';
import type { LocalIssue } from './localIssue.ts';

/** Levels down to which a form draws a required part by itself: a schema that holds itself would never end. */
export const openLevels = 3;
const maxNamed = 500;

/**
 * The issues with each missing object told as what has to be filled in for it: where `user` is missing, it is `user.name`
 * and `user.address.city` that the user writes.
 */
export function nameMissing(issues: readonly LocalIssue[], root: JsonSchema): LocalIssue[] {
  return issues.flatMap((issue) => partsOf(issue, root)).slice(0, maxNamed);
}

function partsOf(issue: LocalIssue, root: JsonSchema): LocalIssue[] {
  const { code, path, schema } = issue;
  if (code !== 'required' || schema === undefined || path.length > openLevels) return [issue];
  const { control } = fieldOf({ schema, root, path, name: '', required: true });
  if (control.kind !== 'object') return [issue];
  const inner = fieldsOf(control.schema, root, path).filter(({ required }) => required);
  if (inner.length === 0) return [issue];
  return inner.flatMap((field) =>
    partsOf({ path: field.path, code, params: { name: field.name }, schema: field.schema }, root),
  );
}
