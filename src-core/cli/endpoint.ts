import { resolve } from 'node:path';

import { readTextFile } from '../base/readTextFile.ts';
import { maxConfigLength } from '../features/servers/configFiles/readServerConfigs.ts';
import type { Client } from '../rpc/client.ts';
import type { ChosenTools, EndpointInfo } from '../contract/types.ts';
import type { Command, GivenFlags } from './command.ts';
import { connect } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

const jsonFlag = { json: { type: 'boolean', help: 'everything about them, as JSON' } } as const;
/** Which tools are served. */
export const chosenFlags = {
  all: { type: 'boolean', help: 'serve all tools' },
  sources: { type: 'string', value: 'LIST', help: 'serve the tools of these sources, with commas: device:ID,mcp:ID' },
  tools: { type: 'string', value: 'LIST', help: 'serve these tools, with commas: names of "toolwire endpoint tools"' },
} as const;

/** `toolwire endpoint list`. */
const list: Command = {
  name: 'endpoint list',
  summary: 'List the MCP endpoints of xiaozhi agents that Toolwire serves tools at.',
  flags: { ...jsonFlag, ...dataDirFlag },
  run: ({ flags, terminal }) =>
    withClient({ flags, terminal }, async (client) => {
      const endpoints = await client.endpoint.list();
      terminal.print(flags.isSet('json') ? `${JSON.stringify(endpoints, null, 2)}\n` : endpoints.map(lineOf).join(''));
      if (endpoints.length === 0) terminal.note('There is no endpoint yet.\n');
    }),
};

/** `toolwire endpoint tools`. */
const tools: Command = {
  name: 'endpoint tools',
  summary: 'List the tools that an endpoint can serve, with their sources.',
  flags: { ...jsonFlag, ...dataDirFlag },
  run: ({ flags, terminal }) =>
    withClient({ flags, terminal }, async (client) => {
      const found = await client.endpoint.tools();
      const lines = found.map(
        ({ name, source, description }) => `${[name, source, description].map(firstLine).join('  ')}\n`,
      );
      terminal.print(flags.isSet('json') ? `${JSON.stringify(found, null, 2)}\n` : lines.join(''));
    }),
};

/** `toolwire endpoint add`. */
const add: Command = {
  name: 'endpoint add',
  argument: { label: 'URL|-', required: true },
  summary: 'Serve tools at the MCP endpoint of a xiaozhi agent.',
  details:
    'URL is the address that the console of the agent shows, with its token: a secret. - reads it from standard input, so that it\n' +
    'is not in the list of processes. A running Toolwire connects at once; otherwise the next start of it connects.',
  flags: {
    name: { type: 'string', value: 'NAME', help: 'what to call it; the host of the address unless set' },
    ...chosenFlags,
    config: {
      type: 'string',
      value: 'FILE',
      help: 'keep the MCP servers of this file, of mcp_pipe for example, and serve them',
    },
    ...dataDirFlag,
  },
  async run({ argument: given = '', flags, terminal }) {
    const config = flags.text('config');
    const chosen = chosenOf(flags) ?? (config === undefined ? undefined : { all: false, sources: [], tools: [] });
    if (chosen === undefined)
      throw new UsageError('"toolwire endpoint add" needs --all, --sources, --tools or --config.');
    const url = given === '-' ? (await terminal.readInput()).trim() : given;
    const label = flags.text('name');
    return withClient({ flags, terminal }, async (client) => {
      if (config !== undefined) chosen.sources.push(...(await keepServers(client, config, terminal)));
      const { id } = await client.endpoint.add({ url, chosen, enabled: true, ...(label !== undefined && { label }) });
      terminal.print(`${id}\n`);
    });
  },
};

/**
 * Keeps the MCP servers of a configuration file, unless servers of the same names are kept, and offers their tools to agents of devices.
 * Nothing is started. Returns them as sources.
 */
async function keepServers(client: Client, file: string, terminal: Terminal): Promise<string[]> {
  const text = readTextFile(file, 4 * maxConfigLength);
  const { servers, problems } = await client.servers.previewImport({ text, fileName: file });
  for (const { text: problem } of problems) terminal.note(`toolwire: ${firstLine(problem)}\n`);
  if (servers.length === 0) throw new Error(`${file} has no MCP server that can be kept.`);
  const names = servers.filter(({ exists }) => !exists).map(({ name }) => name);
  if (names.length > 0) await client.servers.import({ text, fileName: file, path: resolve(file), names });
  const wanted = new Set(servers.map(({ name }) => name));
  const rows = (await client.servers.list()).filter(({ name }) => wanted.has(name));
  for (const { id, name, state } of rows) {
    const { consumers } = await client.servers.detail({ id });
    if (!consumers.includes('device')) await client.servers.setConsumers({ id, consumers: [...consumers, 'device'] });
    if (state !== 'ready')
      terminal.note(`toolwire: Nothing is started. To serve ${firstLine(name)}: toolwire servers start ${id}\n`);
  }
  return rows.map(({ id }) => `mcp:${id}`);
}

/** `toolwire endpoint change`. */
const change = action({
  name: 'endpoint change',
  summary: 'Change the tools that an endpoint serves.',
  flags: chosenFlags,
  async act(client, { id }, flags) {
    const chosen = chosenOf(flags);
    if (chosen === undefined) throw new UsageError('"toolwire endpoint change" needs --all, --sources or --tools.');
    await client.endpoint.change({ id, chosen });
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
    summary: 'Connect an endpoint, also after it was stopped.',
    act: (client, { id }) => client.endpoint.connect({ id }),
    done: 'is connected by a running Toolwire',
  }),
  action({
    name: 'endpoint disconnect',
    summary: 'Disconnect an endpoint until it is connected again.',
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

async function withClient(
  { flags, terminal }: { flags: GivenFlags; terminal: Terminal },
  use: (client: Client) => Promise<void>,
): Promise<number> {
  const { client, close } = await connect({ dataDir: dataDirOf(flags), terminal });
  try {
    await use(client);
    return exitCodes.ok;
  } finally {
    await close();
  }
}

function action(options: {
  name: string;
  summary: string;
  flags?: Command['flags'];
  act: (client: Client, endpoint: EndpointInfo, flags: GivenFlags) => Promise<unknown>;
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
      withClient({ flags, terminal }, async (client) => {
        const endpoint = await find(client, wanted);
        await act(client, endpoint, flags);
        terminal.note(`${firstLine(endpoint.label)} ${done}.\n`);
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
  throw new Error(`There is no endpoint "${wanted}". "toolwire endpoint list" prints those that exist.`);
}

/** Undefined if none is chosen. */
export function chosenOf(flags: GivenFlags): ChosenTools | undefined {
  for (const flag of ['sources', 'tools'] as const) {
    const text = flags.text(flag);
    // An unset variable of a script must not offer everything.
    if (text !== undefined && split(text).length === 0)
      throw new UsageError(`--${flag} is empty. Name at least one, or leave it out.`);
  }
  const given = {
    all: flags.isSet('all'),
    sources: split(flags.text('sources')),
    tools: split(flags.text('tools')),
  };
  return given.all || given.sources.length > 0 || given.tools.length > 0 ? given : undefined;
}

function split(text = ''): string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}

function lineOf({ id, label, state, reason, place, toolCount, listTokens }: EndpointInfo): string {
  const cells = [id, label, state, `${toolCount} tools, ${listTokens} tokens`, place, reason?.text ?? ''];
  return `${cells.map(firstLine).join('  ').trimEnd()}\n`;
}
