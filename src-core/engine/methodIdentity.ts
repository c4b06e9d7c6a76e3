import { createHash } from 'node:crypto';

import type { ToolTarget } from '../registry/toolIndex.ts';

/**
 * Names one method of one tool as it is now, in 43 characters, so that an approval applies to it alone. If the tool is
 * of another source, or its code or the method's schema, description or danger changes, the identity is another one.
 */
export function methodIdentity({ registry, method }: Pick<ToolTarget, 'registry' | 'method'>): string {
  const { id, source, version } = registry;
  const { name, description, danger, inputSchema } = method;
  const facts = JSON.stringify([id, source.kind, source.id, version, name, description, danger, inputSchema]);
  return createHash('sha256').update(facts).digest('base64url');
}
