import type { ToolCallingProtocol } from '../protocols/base.ts';
import type { ProtocolRegistry } from '../protocols/registry.ts';
import { ToolError } from '../base/errors.ts';

/** The registered protocol of that id; throws a `ToolError` `unknown-protocol` with the known ids as candidates. */
export function resolveProtocol(protocols: ProtocolRegistry, id: string): ToolCallingProtocol {
  const protocol = protocols.get(id);
  if (protocol !== undefined) return protocol;
  const candidates = protocols.ids();
  const known = candidates.length === 0 ? 'None is registered.' : `Use one of: ${candidates.join(', ')}.`;
  throw new ToolError('unknown-protocol', `No protocol is registered as "${id}". ${known}`, { candidates });
}
