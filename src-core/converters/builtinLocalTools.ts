import { createTimeTool } from '../registry/builtin/time.ts';
import type { ToolDefinition } from '../registry/toolDefinition.ts';

const clock = createTimeTool();

/** `get_time` and `get_date` as local tools. */
export const BUILTIN_LOCAL_TOOLS: readonly ToolDefinition[] = clock
  .getMetadata()
  .methods.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema,
    executor: async (args, options) => (await clock.invoke(name, args, options)).value,
  }));
