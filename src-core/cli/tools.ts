import type { ToolView } from '../contract/types.ts';
import { listTools } from '../rpc/listTools.ts';
import type { Command } from './command.ts';
import { connect } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';

/** `toolwire tools`: what can be called right now. */
export const toolsCommand: Command = {
  name: 'tools',
  summary: 'List the tools that are registered right now.',
  details: 'Asks the workbench that runs on the same data directory, or starts one for the moment.',
  flags: { json: { type: 'boolean', help: 'everything about them, as JSON' }, ...dataDirFlag },
  async run({ flags, terminal }) {
    const { client, close } = await connect({ dataDir: dataDirOf(flags), terminal });
    try {
      const tools = await listTools(client);
      terminal.print(flags.isSet('json') ? `${JSON.stringify(tools, null, 2)}\n` : listText(tools));
      return exitCodes.ok;
    } finally {
      await close();
    }
  },
};

/** Names are a device's or a module's own words. */
function listText(tools: ToolView[]): string {
  return tools.map(toolText).join('\n');
}

function toolText(tool: ToolView): string {
  const { source, enabled, error, methods } = tool;
  const where = source.kind === 'builtin' ? 'built-in' : `${source.kind} ${source.label}`;
  const width = Math.max(0, ...methods.map(({ qualifiedName }) => qualifiedName.length));
  return [
    `${tool.name}  (${where}${enabled ? '' : ', disabled'})`,
    ...(error === undefined ? [] : [`  error: ${error}`]),
    ...methods.map(
      ({ qualifiedName, description, danger, error: fault }) =>
        `  ${qualifiedName.padEnd(width)}  ${danger === undefined ? '' : '[dangerous] '}${
          fault === undefined ? firstLine(description) : `error: ${firstLine(fault)}`
        }`,
    ),
    '',
  ].join('\n');
}
