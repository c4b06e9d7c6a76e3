import { setTimeout as delay } from 'node:timers/promises';
import { McpTool } from '../../../deviceSide/mcp/mcpTool.ts';
import type { VirtualFault } from './faults.ts';
import type { VirtualHost } from './profile.ts';

/** ms that the fault `slow` adds to each call: beyond the patience of some servers, within that of most. */
const slowMs = 5_000;

/** Tools that take so many ms longer, and with the faults `slow` and `crash-on-call` do as these say. */
export function faultyTools(options: {
  tools: readonly McpTool[];
  faults: ReadonlySet<VirtualFault>;
  latencyMs: number;
  host: VirtualHost;
}): McpTool[] {
  const { tools, faults, host } = options;
  const pauseMs = options.latencyMs + (faults.has('slow') ? slowMs : 0);
  if (pauseMs === 0 && !faults.has('crash-on-call')) return [...tools];
  return tools.map(
    (tool) =>
      new McpTool({
        name: tool.name,
        description: tool.description,
        properties: tool.properties,
        userOnly: tool.userOnly,
        callback: async (args, context) => {
          if (pauseMs > 0) await delay(pauseMs, undefined, { signal: context.signal });
          if (!faults.has('crash-on-call')) return tool.callback(args, context);
          host.pullPlug();
          throw new Error('The device has crashed.');
        },
      }),
  );
}
