import { AgentProvider, ToolConverterBase } from '../../../src-core/converters.ts';
import type { ConvertibleTool } from '../../../src-core/converters.ts';

/** A framework that takes tools as they are: what every converter does before its framework's form. */
export class PlainConverter extends ToolConverterBase<ConvertibleTool, ConvertibleTool[]> {
  protected override wrap(tool: ConvertibleTool): ConvertibleTool {
    return tool;
  }

  protected override gather(tools: readonly (readonly [string, ConvertibleTool])[]): ConvertibleTool[] {
    return tools.map(([, tool]) => tool);
  }
}

/** An agent that replies with the names of its tools. */
export class PlainAgent extends AgentProvider<ConvertibleTool, ConvertibleTool[]> {
  override entriesOf(tools: ConvertibleTool[]): (readonly [string, ConvertibleTool])[] {
    return tools.map((tool) => [tool.wireName, tool] as const);
  }

  protected override forget(): void {}

  protected override async runTurn(text: string): Promise<string> {
    return Promise.resolve(`${text} ${[...this.tools.keys()].join(' ')}`);
  }
}
