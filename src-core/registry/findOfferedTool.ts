/**
 * The offered tool that a script means: by its name, or as the only one whose name ends in it after `_` or `-`, since a
 * script is written before it is known under which prefix a tool is offered.
 */
export function findOfferedTool<Tool extends { name: string }>(name: string, tools: readonly Tool[]): Tool | undefined {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const ending = tools.filter((tool) => tool.name.endsWith(`_${name}`) || tool.name.endsWith(`-${name}`));
  return ending.length === 1 ? ending[0] : undefined;
}
