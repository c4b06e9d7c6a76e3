import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import type { JsonContent } from '../json/jsonNode.ts';
import { isSameJson } from '../json/sameJson.ts';
import { itemSchema, type ListShape } from '../schema/listShape.ts';
import { listOf, own } from '../schema/readKeyword.ts';
import { viewSchema } from '../schema/viewSchema.ts';
import { firstOf } from './firstValue.ts';

/** JSON text for the next item of a list; of a choice in a list without repeats, the first that is not there yet. */
export function firstItem(options: {
  list: JsonSchema;
  shape: ListShape;
  node: JsonContent | undefined;
  root: JsonSchema;
}): string {
  const { list, shape, node, root } = options;
  const items = node?.kind === 'array' ? node.items : [];
  const schema = itemSchema(shape, items.length);
  const choices = own(list, 'uniqueItems') === true ? listOf(viewSchema(schema, root).schema, 'enum') : undefined;
  const free = choices?.find((choice) => !items.some((item) => isSameJson(item, choice)));
  return free === undefined ? firstOf(schema, root) : JSON.stringify(free);
}
