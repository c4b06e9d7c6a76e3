import { defineToolRegistry } from '../../../registry/defineTool.ts';
import type { ToolRegistry } from '../../../registry/types.ts';
import { informationTools } from './information.ts';
import { languageTools } from './language.ts';
import { roleplayTools } from './roleplay.ts';
import type { ServerToolOptions } from './serverTool.ts';

/** Id of the registry of the server tools. */
export const serverToolsId = 'llm-gateway';

/**
 * The ten server tools of docs/protocols/gateway.md#server-tools, and no others. `name` and `protocolVersion` are
 * docs/protocols/gateway.md#settings's.
 */
export function createServerTools({
  name,
  protocolVersion,
  ...options
}: ServerToolOptions & { name: string; protocolVersion: string }): ToolRegistry {
  return defineToolRegistry({
    id: serverToolsId,
    name,
    description: `Server tools of the LLM gateway (MCP ${protocolVersion}).`,
    source: { kind: 'gateway', id: 'server', label: name },
    methods: [...informationTools(options), ...languageTools(options), ...roleplayTools(options)],
  });
}
