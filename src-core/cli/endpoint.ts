import { resolve } from 'node:path';

import { describeThrown } from '../base/describeThrown.ts';
import { visibleLine } from '../base/hiddenCharacters.ts';
import { maxConfigLength } from '../features/servers/configFiles/readServerConfigs.ts';
import type { Client } from '../rpc/client.ts';
import type { ServerImportPreview, ServerRow } from '../contract/servers.ts';
import { endpointWords } from '../contract/stateWords.ts';
import type { EndpointInfo } from '../contract/types.ts';
import { chosenFlags, chosenOf, findChosen, noteMissing } from './mcpChosenTools.ts';
import type { Command, GivenFlags } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { readFileText } from './filePieces.ts';
import { firstLine } from './firstLine.ts';
import { wordOf } from './neededServers.ts';
import { noteProblems } from './servers.ts';
import type { Terminal } from './terminal.ts';
import { textTable, toolsText } from './textTable.ts';
import { UsageError } from './usageError.ts';

const jsonFlag = { json: { type: 'boolean', help: 'print all fields as JSON' } } as const;
/** `toolwire endpoint list`. */
const list: Command = {
  name: 'endpoint list',
  summary: 'List the MCP endpoints of xiaozhi agents where Toolwire serves tools.',
  flags: { ...jsonFlag, ...dataDirFlag },
  run: ({ flags, terminal }) =>
    withWorkbench({ flags, terminal }, async ({ client }) => {
      const endpoints = await client.endpoint.list();
      terminal.print(flags.isSet('json') ? `${JSON.stringify(endpoints, null, 2)}\n` : listText(endpoints));
      if (endpoints.length === 0) terminal.note('There are no endpoints yet.\n');
      return exitCodes.ok;
    }),
};

/** `toolwire endpoint tools`. */
const tools: Command = {
  name: 'endpoint tools',
  summary: 'List the tools that an endpoint can serve, with their sources.',
  flags: { ...jsonFlag, ...dataDirFlag },
  run: ({ flags, terminal }) =>
    withWorkbench({ flags, terminal }, async ({ client }) => {
      const found = await client.endpoint.tools();
      const lines = found.map(
        ({ name, source, description }) => `${[name, source, description].map(firstLine).join('  ')}\n`,
      );
      terminal.print(flags.isSet('json') ? `${JSON.stringify(found, null, 2)}\n` : lines.join(''));
      return exitCodes.ok;
    }),
};

/** `toolwire endpoint add`. */
const add: Command = {
  name: 'endpoint add',
  argument: { label: 'URL|-', required: true },
  summary: 'Serve tools at the MCP endpoint of a xiaozhi agent.',
  details:
    'URL is the address that the console of the agent shows. It contains a token and is a secret. - reads it from standard\n' +
    'input, so that it is not in the list of processes. A running workbench connects immediately, otherwise at its next start.',
  flags: {
    name: { type: 'string', value: 'NAME', help: 'name of the endpoint; by default, the host of the address' },
    ...chosenFlags,
    config: {
      type: 'string',
      value: 'FILE',
      help: 'add the MCP servers of this file, such as one of mcp_pipe, and serve their tools',
    },
    ...dataDirFlag,
  },
  async run({ argument = '', flags, terminal }) {
    const config = flags.text('config');
    const given = chosenOf(flags) ?? (config === undefined ? undefined : { all: false, sources: [], tools: [] });
    if (given === undefined)
      throw new UsageError('"toolwire endpoint add" needs --all, --source, --tools or --config.');
    const url = argument === '-' ? (await terminal.readInput()).trim() : argument;
    if (url === '') throw new UsageError('The address of the endpoint is empty.');
    if (!/^wss?:\/\//i.test(url)) throw new UsageError('The address of the endpoint must begin with ws:// or wss://.');
    const label = flags.text('name');
    return withWorkbench({ flags, terminal }, async ({ client }) => {
      const chosen = await findChosen({ client, terminal }, given, await client.endpoint.tools());
      const file = config === undefined ? undefined : await readServers(client, config, terminal);
      const { id } = await client.endpoint.add({ url, chosen, enabled: false, ...(label !== undefined && { label }) });
      const undo = [() => client.endpoint.remove({ id })];
      try {
        const rows = file === undefined ? [] : await keepServers(client, file, undo);
        const sources = [...chosen.sources, ...rows.map((row) => `mcp:${row.id}`)];
        if (rows.length > 0) await client.endpoint.change({ id, chosen: { ...chosen, sources } });
        await client.endpoint.connect({ id });
        await noteMissingTools(client, id, terminal);
        for (const row of rows.filter(({ state }) => state !== 'ready'))
          terminal.note(
            `toolwire: Nothing is started. To serve ${firstLine(row.name)}: toolwire servers start ${wordOf(row)}\n`,
          );
      } catch (error) {
        for (const step of undo.toReversed())
          await step().catch((failed: unknown) => terminal.note(`toolwire: ${describeThrown(failed)}\n`));
        throw error;
      }
      terminal.print(`${id}\n`);
      return exitCodes.ok;
    });
  },
};

interface ServersOfFile {
  text: string;
  file: string;
  servers: ServerImportPreview['servers'];
}

/** Reads the MCP servers of a configuration file. Keeps nothing. @throws Error if another configuration is kept under a name. */
async function readServers(client: Client, file: string, terminal: Terminal): Promise<ServersOfFile> {
  const text = readFileText(file, 4 * maxConfigLength);
  const { servers, problems } = await client.servers.previewImport({ text, fileName: file });
  noteProblems(problems, terminal);
  if (servers.length === 0) throw new Error(`${file} has no MCP server that can be kept.`);
  for (const { name, keptAs, same } of servers)
    if (keptAs !== name && same === undefined)
      throw new Error(
        `"${firstLine(name)}" is already stored with a configuration that differs from the one in ${file}. Rename it in the file, or remove the stored one: toolwire servers remove`,
      );
  return { text, file, servers };
}

/**
 * Keeps the MCP servers of a file that are not kept yet, and offers the tools of all to agents of devices. Nothing is started. Adds to
 * `undo` what takes each change back.
 */
async function keepServers(
  client: Client,
  { text, file, servers }: ServersOfFile,
  undo: (() => Promise<unknown>)[],
): Promise<ServerRow[]> {
  const names = servers.flatMap(({ name, same }) => (same === undefined ? [name] : []));
  const added =
    names.length === 0 ? [] : (await client.servers.import({ text, fileName: file, path: resolve(file), names })).ids;
  for (const id of added) undo.push(() => client.servers.remove({ id }));
  const wanted = new Set([...added, ...servers.flatMap(({ same }) => same ?? [])]);
  const rows = (await client.servers.list()).filter(({ id }) => wanted.has(id));
  for (const { id, consumers } of rows) {
    if (consumers.includes('device')) continue;
    undo.push(() => client.servers.setConsumers({ id, consumers }));
    await client.servers.setConsumers({ id, consumers: [...consumers, 'device'] });
  }
  return rows;
}

/** Says which tools that an endpoint serves by name are not there. */
async function noteMissingTools(client: Client, id: string, terminal: Terminal): Promise<void> {
  const names = new Set((await client.endpoint.tools()).map(({ name }) => name));
  // With the names that renamed tools have now.
  const tools = (await client.endpoint.list()).flatMap((each) => (each.id === id ? each.chosen.tools : []));
  noteMissing({ terminal, tools, names });
}

/** `toolwire endpoint change`. */
const change = action({
  name: 'endpoint change',
  summary: 'Change the tools that an endpoint serves.',
  flags: chosenFlags,
  async act(client, { id }, flags, terminal) {
    const given = chosenOf(flags);
    if (given === undefined) throw new UsageError('"toolwire endpoint change" needs --all, --source or --tools.');
    const chosen = await findChosen({ client, terminal }, given, await client.endpoint.tools());
    await client.endpoint.change({ id, chosen });
    await noteMissingTools(client, id, terminal);
  },
  done: 'is changed',
});

/** The commands for endpoints. */
export const endpointCommands: readonly Command[] = [
  list,
  tools,
  add,
  change,
  action({
    name: 'endpoint connect',
    summary: 'Connect an endpoint, even if it was stopped.',
    act: (client, { id }) => client.endpoint.connect({ id }),
    done: 'is connected by a running Toolwire',
  }),
  action({
    name: 'endpoint disconnect',
    summary: 'Disconnect an endpoint until you connect it again.',
    act: (client, { id }) => client.endpoint.disconnect({ id }),
    done: 'is disconnected',
  }),
  action({
    name: 'endpoint remove',
    summary: 'Remove an endpoint and its address.',
    act: (client, { id }) => client.endpoint.remove({ id }),
    done: 'is removed',
  }),
];

function action(options: {
  name: string;
  summary: string;
  flags?: Command['flags'];
  act: (client: Client, endpoint: EndpointInfo, flags: GivenFlags, terminal: Terminal) => Promise<unknown>;
  done: string;
}): Command {
  const { name, summary, act, done } = options;
  return {
    name,
    argument: { label: 'ENDPOINT', required: true },
    summary,
    details: 'ENDPOINT is its id or its name.',
    flags: { ...options.flags, ...dataDirFlag },
    run: ({ argument: wanted = '', flags, terminal }) =>
      withWorkbench({ flags, terminal }, async ({ client }) => {
        const endpoint = await find(client, wanted);
        await act(client, endpoint, flags, terminal);
        terminal.note(`${firstLine(endpoint.label)} ${done}.\n`);
        return exitCodes.ok;
      }),
  };
}

async function find(client: Client, wanted: string): Promise<EndpointInfo> {
  const all = await client.endpoint.list();
  const found = all.filter(({ id, label }) => id === wanted || label === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1)
    throw new Error(
      `${found.length} endpoints are called "${wanted}". Use the id that "toolwire endpoint list" prints.`,
    );
  throw new Error(`There is no endpoint "${wanted}". "toolwire endpoint list" lists them.`);
}

function listText(endpoints: readonly EndpointInfo[]): string {
  const rows = endpoints.map(({ id, label, state, place, toolCount, listTokens }) => [
    id,
    label,
    endpointWords[state],
    toolCount === 0 ? 'no tools' : `${toolsText(toolCount)}, ${listTokens} tokens`,
    place,
  ]);
  return textTable(rows, { below: endpoints.map(({ reason }) => (reason ? [visibleLine(reason.text)] : [])) });
}
