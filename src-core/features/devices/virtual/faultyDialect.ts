import type { McpDialect } from '../../../deviceSide/mcp/dialect.ts';
import type { VirtualFault } from './faults.ts';

/** With the fault `wrong-pages` the last page leads back to the first tool, so that who follows cursors never ends. */
export function faultyDialect(dialect: McpDialect, faults: ReadonlySet<VirtualFault>): McpDialect {
  if (!faults.has('wrong-pages')) return dialect;
  return {
    ...dialect,
    listTools: (tools, params) => {
      const page = dialect.listTools(tools, params);
      return { ...page, nextCursor: page['nextCursor'] ?? tools[0]?.name ?? '' };
    },
  };
}
