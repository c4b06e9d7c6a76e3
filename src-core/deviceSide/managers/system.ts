import { arch, freemem, hostname, platform, totalmem, uptime } from 'node:os';
import type { JsonObject } from '../../base/json.ts';
import { checkOptions } from '../../base/checkOptions.ts';
import { McpTool } from '../mcp/mcpTool.ts';
import type { ToolManager } from '../mcp/toolManager.ts';

/** `self.get_device_status`: the computer it runs on, and whatever else `status` tells. */
export function createSystemManager(options: { status: () => JsonObject | Promise<JsonObject> }): ToolManager {
  checkOptions('createSystemManager', options, { status: true });
  const { status } = options;
  return {
    initTools(addTool) {
      addTool(
        new McpTool({
          name: 'self.get_device_status',
          description:
            'Reports the state of the device as JSON: computer, speaker and screen. Ask it before changing them.',
          callback: async () => JSON.stringify({ system: systemStatus(), ...(await status()) }),
        }),
      );
    },
  };
}

function systemStatus(): JsonObject {
  return {
    hostname: hostname(),
    platform: platform(),
    arch: arch(),
    uptime_s: Math.round(uptime()),
    memory: { free_bytes: freemem(), total_bytes: totalmem() },
  };
}
