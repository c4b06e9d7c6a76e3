import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import type { JsonContent } from '../json/jsonNode.ts';
import { emptySeen, tryPart, type Fit } from './checkRun.ts';
import { startRun } from './startRun.ts';

const maxSteps = 50_000;

/** Whether one value fits schemas inside the document `root`, asked one after another: what one question found out helps the next. */
export function fitsOf(node: JsonContent, root: JsonSchema): (schema: JsonSchema) => Fit {
  const run = startRun(root, { steps: maxSteps, first: true });
  return (schema) => tryPart({ node, schema, path: [], depth: 0, seen: emptySeen() }, run).fit;
}
