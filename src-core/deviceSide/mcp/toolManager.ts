import type { McpTool } from './mcpTool.ts';
import type { Property, PropertyType } from './property.ts';
import type { PropertyList } from './propertyList.ts';

/** Registers the tools of one kind together. It is handed the classes of their arguments. */
export interface ToolManager {
  initTools: (
    addTool: (tool: McpTool) => void,
    propertyList: typeof PropertyList,
    property: typeof Property,
    propertyType: typeof PropertyType,
  ) => void;
}
