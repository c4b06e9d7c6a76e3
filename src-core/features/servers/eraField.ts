import type { JsonObject } from '../../base/json.ts';
import { serverEras, type ServerEra } from '../../contract/servers.ts';

/** The field of an entry of a configuration file; MCP Inspector has the same one. */
const field = 'protocolEra';

/** The era that the unknown fields of an entry name. */
export function eraOf(extra: JsonObject): ServerEra | undefined {
  return serverEras.find((era) => era === extra[field]);
}

/** The unknown fields of an entry with this era. What already means the same is left as it is. */
export function withEra(extra: JsonObject, era: ServerEra | undefined): JsonObject {
  return eraOf(extra) === era ? extra : { ...extra, [field]: era ?? 'auto' };
}
