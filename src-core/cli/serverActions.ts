import { setTimeout } from 'node:timers/promises';

import type { Client } from '../rpc/client.ts';
import { exportFormats, type ConsentSheet, type ServerRow } from '../contract/servers.ts';
import { readTextFile } from '../base/readTextFile.ts';
import { maxConfigLength } from '../features/servers/configFiles/readServerConfigs.ts';
import type { Command, GivenFlags } from './command.ts';
import { connect } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';
import { exportFlags, formatOf, printExport } from './servers.ts';
import type { Terminal } from './terminal.ts';

type Context = { argument?: string | undefined; flags: GivenFlags; terminal: Terminal };

async function withClient({ flags, terminal }: Context, use: (client: Client) => Promise<number>): Promise<number> {
  const { client, close } = await connect({ dataDir: dataDirOf(flags), terminal });
  try {
    return await use(client);
  } finally {
    await close();
  }
}

const list: Command = {
  name: 'servers list',
  summary: 'List the MCP servers, with their states.',
  flags: { json: { type: 'boolean', help: 'everything about them, as JSON' }, ...dataDirFlag },
  run: (context) =>
    withClient(context, async (client) => {
      const { flags, terminal } = context;
      const rows = await client.servers.list();
      terminal.print(flags.isSet('json') ? `${JSON.stringify(rows, null, 2)}\n` : rows.map(lineOf).join(''));
      if (rows.length === 0) terminal.note('There is no MCP server yet.\n');
      return exitCodes.ok;
    }),
};

/** `servers add` reads its argument as the text, `servers import` reads the file of that name. */
function importing(
  name: string,
  label: string,
  summary: string,
  read: (given: string, terminal: Terminal) => Promise<string>,
): Command {
  return {
    name,
    argument: { label, required: true },
    summary,
    details: 'Nothing is started. Exit code 1 if a server was not read.',
    flags: { ...dataDirFlag },
    async run(context) {
      const { argument: given = '', terminal } = context;
      const text = await read(given, terminal);
      const fileName = name === 'servers import' && given !== '-' ? { fileName: given } : {};
      return withClient(context, async (client) => {
        const { servers, problems } = await client.servers.previewImport({ text, ...fileName });
        for (const { text: problem } of problems) terminal.note(`toolwire: ${firstLine(problem)}\n`);
        if (servers.length === 0) return exitCodes.failed;
        const names = servers.map((server) => server.name);
        const { ids } = await client.servers.import({ text, ...fileName, names });
        ids.forEach((id, at) => terminal.print(`${id}  ${firstLine(names[at] ?? '')}\n`));
        return ids.length === names.length ? exitCodes.ok : exitCodes.failed;
      });
    },
  };
}

const exporting: Command = {
  name: 'servers export',
  argument: { label: '[SERVER]', required: false },
  summary: 'Write the kept MCP servers as the configuration of a host.',
  details:
    `SERVER is the id or the name of one; all are written without it. Formats: ${exportFormats.join(', ')}.\n` +
    'Secrets are replaced by inputs, variables or placeholders, and named. Exit code 1 if a server was not written.',
  flags: { ...exportFlags, ...dataDirFlag },
  run(context) {
    const { argument, flags, terminal } = context;
    const format = formatOf(flags);
    return withClient(context, async (client) => {
      const rows = argument === undefined ? await client.servers.list() : [await find(client, argument)];
      if (rows.length === 0) throw new Error('There is no MCP server yet.');
      return printExport(await client.servers.export({ ids: rows.map(({ id }) => id), format }), flags, terminal);
    });
  },
};

const start: Command = {
  name: 'servers start',
  argument: { label: 'SERVER', required: true },
  summary: 'Start an MCP server, and wait until it is ready.',
  details:
    'SERVER is its id or its name. Asks before it starts what was not approved, and shows the whole command. Without a terminal\n' +
    'to ask in, --approve is needed. Exit code 1 if the server is not approved or does not become ready.',
  flags: {
    approve: {
      type: 'string',
      value: 'FINGERPRINT',
      help: 'approve exactly the configuration that has this fingerprint',
    },
    ...dataDirFlag,
  },
  run: (context) =>
    withClient(context, async (client) => {
      const { argument = '', flags, terminal } = context;
      const { id, name } = await find(client, argument);
      await client.servers.start({ id });
      if ((await rowOf(client, id)).state === 'asking') {
        const sheet = await client.servers.consent({ id });
        terminal.note(sheetText(name, sheet));
        const given = flags.text('approve');
        if (given === undefined && !terminal.interactive) {
          terminal.note(`toolwire: Nobody can be asked here. --approve ${sheet.fingerprint} starts it.\n`);
          return exitCodes.failed;
        }
        const answer = given === undefined ? (await terminal.ask('Start it? [y/N, a: always] ')).trim() : 'y';
        if (!/^(?:y|yes|a|always)$/i.test(answer)) return exitCodes.failed;
        await client.servers.approve({ id, fingerprint: given ?? sheet.fingerprint, always: /^a/i.test(answer) });
      }
      return untilReady(client, id, terminal);
    }),
};

async function untilReady(client: Client, id: string, terminal: Terminal): Promise<number> {
  for (;;) {
    const row = await rowOf(client, id);
    if (row.state === 'ready') {
      terminal.note(`${firstLine(row.name)} is ready with ${row.counts.tools} tools.\n`);
      return exitCodes.ok;
    }
    if (row.state !== 'starting') {
      const { text = `It is ${row.state}.`, stderr = [] } = row.failure ?? {};
      terminal.note(`toolwire: ${firstLine(row.name)}: ${firstLine(text)}\n`);
      for (const line of stderr.slice(-10)) terminal.note(`  ${firstLine(line)}\n`);
      return exitCodes.failed;
    }
    await setTimeout(100, undefined, { signal: terminal.ended });
  }
}

function sheetText(name: string, sheet: ConsentSheet): string {
  const command = sheet.command
    .map(({ text }) => (/^[\w@%+=:,./\\~-]+$/.test(text) ? text : JSON.stringify(text)))
    .join(' ');
  const names = (values: readonly string[]): string => (values.length === 0 ? 'none' : values.join(', '));
  return [
    `${name} wants to start or to be reached:`,
    `  ${sheet.url ?? command}`,
    ...(sheet.program === undefined ? [] : [`  program: ${sheet.program.realPath}`]),
    ...(sheet.cwd === undefined ? [] : [`  folder: ${sheet.cwd}`]),
    sheet.url === undefined
      ? `  variables: ${names(sheet.envNames.map((each) => each.name))}`
      : `  headers: ${names(sheet.headerNames)}`,
    ...sheet.warnings.map(({ code, part }) => `  warning: ${code}: ${part}`),
    ...sheet.changes.map(({ field, before, after }) => `  changed: ${field}: ${before} → ${after}`),
    `  fingerprint: ${sheet.fingerprint}`,
    '',
  ].join('\n');
}

function action(verb: 'stop' | 'remove', summary: string, done: string): Command {
  return {
    name: `servers ${verb}`,
    argument: { label: 'SERVER', required: true },
    summary,
    details: 'SERVER is its id or its name.',
    flags: { ...dataDirFlag },
    run: (context) =>
      withClient(context, async (client) => {
        const { id, name } = await find(client, context.argument ?? '');
        await client.servers[verb]({ id });
        context.terminal.note(`${firstLine(name)} is ${done}.\n`);
        return exitCodes.ok;
      }),
  };
}

/** The commands for kept MCP servers. */
export const serverCommands: readonly Command[] = [
  list,
  importing('servers add', 'TEXT', 'Keep an MCP server: a command line, a URL or an installation link.', (text) =>
    Promise.resolve(text),
  ),
  importing('servers import', 'FILE|-', 'Keep the MCP servers of a configuration file.', async (file, terminal) =>
    file === '-' ? terminal.readInput() : readTextFile(file, 4 * maxConfigLength),
  ),
  exporting,
  start,
  action('stop', 'Stop an MCP server.', 'stopped'),
  action('remove', 'Stop an MCP server and remove it with its secrets.', 'removed'),
];

async function rowOf(client: Client, id: string): Promise<ServerRow> {
  const row = (await client.servers.list()).find((each) => each.id === id);
  if (row === undefined) throw new Error('The server was removed meanwhile.');
  return row;
}

async function find(client: Client, wanted: string): Promise<ServerRow> {
  const found = (await client.servers.list()).filter(({ id, name }) => id === wanted || name === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new Error(
    found.length > 1
      ? `${found.length} servers are called "${wanted}". Use the id that "toolwire servers list" prints.`
      : `There is no MCP server "${wanted}". "toolwire servers list" prints those that exist.`,
  );
}

function lineOf({ id, name, state, counts, place, failure }: ServerRow): string {
  const cells = [id, name, state, `${counts.tools} tools`, place, failure?.text ?? ''];
  return `${cells.map(firstLine).join('  ').trimEnd()}\n`;
}
