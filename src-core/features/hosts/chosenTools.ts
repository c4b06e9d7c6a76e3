import type { ChosenTools, HostScope } from '../../contract/hosts.ts';
import type { ExportedTool, ExportedTools } from './exportedTools.ts';

export const nothingChosen: ChosenTools = { all: false, sources: [], tools: [] };

/** The selection of a scope; a whole device or server is a separate scope. */
export function chosenOf(scope: HostScope): ChosenTools {
  return scope !== 'all' && scope.kind === 'chosen' ? scope.chosen : { ...nothingChosen, all: true };
}

/** Whether a selection has a tool. */
function isChosen({ all, sources, tools }: ChosenTools, tool: ExportedTool): boolean {
  return all || sources.includes(sourceOf(tool)) || namesOf(tool).some((name) => tools.includes(name));
}

/** The selection with the names that its tools have now. */
export function renameChosen(chosen: ChosenTools, tools: readonly ExportedTool[]): ChosenTools {
  const now = new Map(tools.flatMap((tool) => tool.formerNames.map((name) => [name, tool.tool.name])));
  return { ...chosen, tools: [...new Set(chosen.tools.map((name) => now.get(name) ?? name))] };
}

function namesOf({ tool, formerNames }: ExportedTool): string[] {
  return [tool.name, ...formerNames];
}

/** `kind:id`, as in a selection. */
export function sourceOf({ source }: Pick<ExportedTool, 'source'>): string {
  return `${source.kind}:${source.id}`;
}

/** The same tools without those that are not chosen now. */
export function chooseTools(tools: ExportedTools, chosen: () => ChosenTools): ExportedTools {
  function choose(all: ExportedTool[]): ExportedTool[] {
    const selection = chosen();
    return selection.all ? all : all.filter((tool) => isChosen(selection, tool));
  }
  return {
    ...tools,
    list: (scope) => choose(tools.list(scope)),
    withheld: (scope) => choose(tools.withheld(scope)),
    find(scope, name) {
      const found = tools.find(scope, name);
      return found !== undefined && isChosen(chosen(), found) ? found : undefined;
    },
  };
}
