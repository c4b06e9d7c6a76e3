import type { McpTool } from './mcpTool.ts';

/** Registers the tools of one kind together (seed 002). */
export interface ToolManager {
  initTools: (addTool: (tool: McpTool) => void) => void;
}
