import type { ListedTool } from './readTool.ts';
import type { DeviceInfo } from '../../../contract/deviceInfo.ts';
import type { ToolList } from './listTools.ts';

/**
 * The names of a device's tools that were added, removed or changed since its previous connection. A tool is changed if
 * its description, a schema or its audience differs. Returns `undefined` if nothing differs.
 */
export function compareTools(
  before: readonly ListedTool[],
  after: readonly ListedTool[],
): NonNullable<DeviceInfo['toolChanges']> | undefined {
  const former = new Map(before.map((tool) => [tool.name, tool]));
  const added: string[] = [];
  const changed: string[] = [];
  for (const tool of after) {
    const old = former.get(tool.name);
    former.delete(tool.name);
    if (old === undefined) added.push(tool.name);
    else if (textOf(old) !== textOf(tool)) changed.push(tool.name);
  }
  const removed = [...former.keys()];
  return added.length + removed.length + changed.length === 0 ? undefined : { added, removed, changed };
}

/**
 * The tools of a device by its last list: those of the list, then those of `before` that the list may have left out, `most`
 * in all. `undefined` if nothing was known before and the list ended early.
 */
export function knownTools(
  before: readonly ListedTool[] | undefined,
  { tools, isWhole, mayHave }: ToolList,
  most: number,
): readonly ListedTool[] | undefined {
  if (before === undefined) return isWhole ? tools : undefined;
  const names = new Set(tools.map(({ name }) => name));
  return [...tools, ...before.filter(({ name }) => !names.has(name) && mayHave(name))].slice(0, most);
}

function textOf({ description, inputSchema, outputSchema, userOnly, destructive }: ListedTool): string {
  return JSON.stringify([description, inputSchema, outputSchema, userOnly, destructive]);
}
