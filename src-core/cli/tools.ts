import type { ToolView } from '../contract/types.ts';
import type { Client } from '../rpc/client.ts';
import { listTools } from '../rpc/listTools.ts';
import type { Command } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { ExitError, exitCodes } from './exitCodes.ts';
import { namedText } from '../base/hiddenCharacters.ts';
import { firstLine } from './firstLine.ts';
import { createNeededServers, findServer, type NeededServers } from './neededServers.ts';
import type { Terminal } from './terminal.ts';

/** `toolwire tools`: what can be called right now. */
export const toolsCommand: Command = {
  name: 'tools',
  argument: { label: '[SERVER]', required: false },
  summary: 'List the tools that are registered right now.',
  details:
    'With SERVER, the name or id of an MCP server, lists only its tools. The server is started for the list if it is approved.\n' +
    'Asks the workbench that runs on the same data directory. If none runs, starts the approved MCP servers for the list and\n' +
    'stops them afterwards. Exit code 4 if one of them does not start, 3 if SERVER is not approved.\n' +
    'A tool is marked as withheld if its definition has changed and is not accepted yet ("toolwire servers accept").',
  flags: {
    'no-start': { type: 'boolean', help: 'do not start MCP servers' },
    json: { type: 'boolean', help: 'print everything about the tools as JSON' },
    ...dataDirFlag,
  },
  run: ({ argument, flags, terminal }) =>
    withWorkbench({ flags, terminal }, async ({ client, joined }) => {
      const servers = createNeededServers({ client, terminal });
      const only = argument === undefined ? undefined : await findServer(client, argument);
      const mayStart = !flags.isSet('no-start');
      let code: number = exitCodes.ok;
      try {
        if (only !== undefined && mayStart) await servers.start(only);
        else if (mayStart && !joined) code = await startApproved(client, servers, terminal);
        const tools = (await listTools(client)).filter(({ id }) => only === undefined || id === only.registryId);
        terminal.print(flags.isSet('json') ? `${JSON.stringify(tools, null, 2)}\n` : listText(tools));
        return code;
      } finally {
        await servers.stop();
      }
    }),
};

/** Starts all approved servers, and says which are not. */
async function startApproved(client: Client, servers: NeededServers, terminal: Terminal): Promise<number> {
  const rows = await client.servers.list();
  const codes = await Promise.all(
    rows.map(async (row) => {
      try {
        await servers.start(row);
        return exitCodes.ok;
      } catch (error) {
        if (!(error instanceof ExitError)) throw error;
        terminal.note(`toolwire: ${error.message}\n`);
        return error.exitCode === exitCodes.unreachable ? error.exitCode : exitCodes.ok;
      }
    }),
  );
  return Math.max(exitCodes.ok, ...codes);
}

/** Names are a device's or a module's own words. */
function listText(tools: ToolView[]): string {
  return tools.map(toolText).join('\n');
}

function toolText(tool: ToolView): string {
  const { source, enabled, error, methods } = tool;
  const at = source.node === undefined ? '' : ` at ${source.node}`;
  const where = source.kind === 'builtin' ? 'built-in' : `${source.kind} ${source.label}${at}`;
  const width = Math.max(0, ...methods.map(({ qualifiedName }) => qualifiedName.length));
  return [
    `${tool.name}  (${where}${enabled ? '' : ', disabled'})`,
    ...(error === undefined ? [] : [`  error: ${error}`]),
    ...methods.map(({ qualifiedName, description, danger, error: fault, withheldFrom }) => {
      const marks = `${withheldFrom ? '[withheld] ' : ''}${danger === undefined ? '' : '[dangerous] '}`;
      const text = fault === undefined ? firstLine(namedText(description)) : `error: ${firstLine(fault)}`;
      return `  ${qualifiedName.padEnd(width)}  ${marks}${text}`;
    }),
    '',
  ].join('\n');
}
