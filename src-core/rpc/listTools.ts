import type { ToolView } from '../contract/types.ts';
import type { Client } from './client.ts';

/** Returns all registered tools. They are read in parts, so that no number of tools keeps the engine's thread busy. */
export async function listTools({ tools }: Pick<Client, 'tools'>): Promise<ToolView[]> {
  const found = new Map<string, ToolView>();
  let since: string | undefined;
  for (let more = true; more;) {
    const part = await tools.changes({ since });
    if (part.whole) found.clear();
    for (const id of part.gone) found.delete(id);
    for (const tool of part.tools) found.set(tool.id, tool);
    ({ at: since, more } = part);
  }
  return [...found.values()];
}
