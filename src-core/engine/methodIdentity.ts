import { createHash, randomUUID } from 'node:crypto';

import type { ResolvedToolName } from '../registry/resolveToolName.ts';
import type { ToolRegistry } from '../registry/types.ts';

const registries = new WeakMap<ToolRegistry, string>();

/**
 * Names one method of one registered tool as it is now, in 43 characters, so that an approval applies to it alone. If the tool is
 * registered anew, or the method's schema, description or danger changes, the identity is another one.
 */
export function methodIdentity({ registry, method }: Pick<ResolvedToolName, 'registry' | 'method'>): string {
  const known = registries.get(registry) ?? randomUUID();
  registries.set(registry, known);
  const { name, description, danger, inputSchema } = method;
  const facts = JSON.stringify([known, name, description, danger, inputSchema]);
  return createHash('sha256').update(facts).digest('base64url');
}
