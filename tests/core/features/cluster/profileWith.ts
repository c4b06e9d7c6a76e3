import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import type { VirtualProfile } from '../../../../src-core/features/devices/virtual/profile.ts';
import { McpTool } from '../../../../src-core/deviceSide/mcp/mcpTool.ts';

/** A board whose tools first do this with their name. */
export function profileWith(onCall: (name: string) => Promise<unknown>): VirtualProfile {
  return {
    ...firmwareProfile,
    createTools: (host) =>
      firmwareProfile.createTools(host).map((tool) => {
        const { name, description, properties, userOnly } = tool;
        const callback: typeof tool.callback = async (...given) => {
          await onCall(name);
          return tool.callback(...given);
        };
        return new McpTool({ name, description, properties, userOnly, callback });
      }),
  };
}
