import type { ChosenTools } from '../../contract/hosts.ts';
import type { ExportedTool, ExportedTools } from './exportedTools.ts';

/** Whether a selection has a tool. */
export function isChosen({ all, sources, tools }: ChosenTools, tool: ExportedTool): boolean {
  return all || sources.includes(sourceOf(tool)) || tools.includes(tool.tool.name);
}

/** `kind:id`, as in a selection. */
export function sourceOf({ source }: Pick<ExportedTool, 'source'>): string {
  return `${source.kind}:${source.id}`;
}

/** The same tools without those that are not chosen now. */
export function chooseTools(tools: ExportedTools, chosen: () => ChosenTools): ExportedTools {
  return {
    ...tools,
    list: (scope) => tools.list(scope).filter((tool) => isChosen(chosen(), tool)),
    find(scope, name) {
      const found = tools.find(scope, name);
      return found !== undefined && isChosen(chosen(), found) ? found : undefined;
    },
  };
}
