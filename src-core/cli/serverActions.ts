import { resolve } from 'node:path';

import { toolConsumers, type ToolConsumer } from '../base/toolTypes.ts';
import { exportFormats, serverEras, type ServerImportPreview, type ServerRow } from '../contract/servers.ts';
import { maxConfigLength, readServerConfigs } from '../features/servers/configFiles/readServerConfigs.ts';
import { consumerWords, serverWords, shownState } from '../contract/stateWords.ts';
import type { Command, GivenFlags } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { readFileText } from './filePieces.ts';
import { firstLine } from './firstLine.ts';
import { approveServer } from './mcpConsent.ts';
import { setValues } from './mcpValues.ts';
import { findServer, reasonLines, rowOf, untilReady, wordOf } from './neededServers.ts';
import { codeOf, exportFlags, formatOf, noteProblems, printExport } from './servers.ts';
import { isYes, type Terminal } from './terminal.ts';
import { textTable, toolsText } from './textTable.ts';
import { UsageError } from './usageError.ts';

type Context = { argument?: string | undefined; flags: GivenFlags; terminal: Terminal };

const json = { type: 'boolean', help: 'print the result as JSON' } as const;

/** Prints a result as JSON if that is asked for, else as text. */
function report({ flags, terminal }: Context, result: unknown, text: string): void {
  if (flags.isSet('json')) terminal.print(`${JSON.stringify(result, null, 2)}\n`);
  else terminal.print(text);
}

const list: Command = {
  name: 'servers list',
  summary: 'List the MCP servers, with their states.',
  flags: { json: { type: 'boolean', help: 'print all fields as JSON' }, ...dataDirFlag },
  run: (context) =>
    withWorkbench(context, async ({ client }) => {
      const rows = await client.servers.list();
      report(context, rows, linesOf(rows));
      if (rows.length === 0) context.terminal.note('There are no MCP servers yet.\n');
      return exitCodes.ok;
    }),
};

const eras = ['auto', ...serverEras] as const;

function eraIn(flags: GivenFlags): (typeof eras)[number] | undefined {
  const given = flags.text('era');
  if (given === undefined) return undefined;
  const era = eras.find((each) => each === given);
  if (era === undefined) throw new UsageError(`--era must be one of ${eras.join(', ')}; it is "${given}".`);
  return era;
}

/** `servers add` reads its argument as the text, `servers import` reads the file of that name. */
function importing(
  name: string,
  label: string,
  summary: string,
  read: (given: string, terminal: Terminal) => Promise<string>,
  own: Command['flags'] = {},
): Command {
  return {
    name,
    argument: { label, required: true },
    summary,
    details:
      'Nothing is started. A server that is already added, with the same configuration, or that the text disables is left out.\n' +
      'Exit code 1 if a server could not be read.',
    flags: {
      all: { type: 'boolean', help: 'also add servers that are already added or disabled' },
      ...own,
      era: {
        type: 'string',
        value: 'ERA',
        help: 'the era of MCP to use: legacy (before 2026-07-28), modern or auto; by default the one in the text, else auto',
      },
      json,
      ...dataDirFlag,
    },
    async run(context) {
      const { argument: given = '', flags, terminal } = context;
      const era = eraIn(flags);
      const text = await read(given, terminal);
      const isFile = name === 'servers import' && given !== '-';
      const fileName = isFile ? { fileName: given } : {};
      const { servers, problems } = readServerConfigs(text, isFile ? given : undefined);
      noteProblems(problems, terminal);
      const texts = problems.map(({ message }) => message.text);
      if (servers.length === 0) {
        report(context, { servers: [], left: [], problems: texts }, '');
        return codeOf(problems);
      }
      const as = flags.text('name');
      if (as !== undefined && servers.length > 1)
        throw new UsageError(`--name needs a text with one server; this one has ${servers.length}.`);
      return withWorkbench(context, async ({ client }) => {
        const preview = await client.servers.previewImport({ text, ...fileName, as });
        // The same server in another era is another one.
        const isLeft = ({ same, disabled }: Previewed) =>
          (same !== undefined && era === undefined) || disabled === true;
        const left = flags.isSet('all') ? [] : preview.servers.filter(isLeft);
        const names = preview.servers.filter((each) => !left.includes(each)).map((each) => each.name);
        const by = name === 'servers add' ? ('terminal-add' as const) : ('terminal-import' as const);
        const wanted = { text, ...fileName, as, names, by, era, ...(isFile && { path: resolve(given) }) };
        const { ids } = names.length === 0 ? { ids: [] } : await client.servers.import(wanted);
        const rows = await client.servers.list();
        const added = ids.map((id, at) => ({ id, name: rows.find((row) => row.id === id)?.name ?? names[at] ?? '' }));
        for (const [at, { name: of }] of added.entries())
          if (of !== names[at])
            terminal.note(
              `toolwire: ${firstLine(names[at] ?? '')} is stored as ${firstLine(of)}, because another server has this name.\n`,
            );
        for (const { name: of, same } of left)
          terminal.note(
            `toolwire: ${firstLine(of)} is ${same === undefined ? 'disabled' : `already added (${same})`}, and is left out. --all adds it.\n`,
          );
        const lines = added.map(({ id, name: of }) => `${id}  ${firstLine(of)}\n`);
        const leftOut = left.map(({ name: of, same: id }) => ({
          name: of,
          ...(id === undefined ? { disabled: true } : { id }),
        }));
        report(context, { servers: added, left: leftOut, problems: texts }, lines.join(''));
        if (added.length > 0 && !context.flags.isSet('json')) terminal.note(nextSteps(added));
        return codeOf(problems);
      });
    },
  };
}

type Previewed = ServerImportPreview['servers'][number];

/** What follows an import, by the name of the server if there is only one. */
function nextSteps(added: readonly { id: string; name: string }[]): string {
  const [only] = added;
  const server = only !== undefined && added.length === 1 ? wordOf(only) : 'SERVER';
  const steps = [
    [`toolwire servers start ${server}`, 'shows the whole command, and asks; "a" approves all starts'],
    [`toolwire tools ${server}`, 'lists the tools'],
    ['toolwire call NAME --args JSON', 'calls one of them'],
  ];
  const width = Math.max(...steps.map(([command = '']) => command.length));
  const lines = steps.map(([command = '', what = '']) => `  ${command.padEnd(width)}  ${what}\n`);
  return `Nothing is started yet. Next:\n${lines.join('')}`;
}

const exporting: Command = {
  name: 'servers export',
  argument: { label: '[SERVER]', required: false },
  summary: 'Write the stored MCP servers as the configuration of a host.',
  details:
    `SERVER is the id or the name of a server. Without it, all servers are written. Formats: ${exportFormats.join(', ')}.\n` +
    'Secrets are replaced by inputs, variables or placeholders, and listed. Exit code 1 if a server could not be written.',
  flags: { ...exportFlags, ...dataDirFlag },
  run(context) {
    const { argument, flags, terminal } = context;
    const format = formatOf(flags);
    return withWorkbench(context, async ({ client }) => {
      const rows = argument === undefined ? await client.servers.list() : [await findServer(client, argument)];
      if (rows.length === 0) throw new Error('There are no MCP servers yet.');
      return printExport(await client.servers.export({ ids: rows.map(({ id }) => id), format }), flags, terminal);
    });
  },
};

const start: Command = {
  name: 'servers start',
  argument: { label: 'SERVER', required: true },
  summary: 'Start an MCP server, and wait until it is ready.',
  details:
    'SERVER is its id, at least the first 4 characters of the id, or its name. If the server is not approved, shows its whole\n' +
    'command and asks for approval. Also asks for missing values, and about a changed file. If there is no terminal to ask in, use\n' +
    '--set and --approve. If no workbench runs, the server ends with this command. If the server is always approved, "toolwire\n' +
    'tools", "call", "test" and "conformance" start it when they need it. A ready server is restarted only with --set, which\n' +
    'ends its calls. Exit code 3 if the server is not approved or a value is missing, 4 if it does not become ready.',
  flags: {
    approve: {
      type: 'string',
      value: 'FINGERPRINT',
      help: 'approve exactly the configuration that has this fingerprint',
    },
    set: {
      type: 'string',
      value: 'NAME=VALUE',
      repeats: true,
      help: 'a value for an input or a variable; stored as a secret',
    },
    always: { type: 'boolean', help: 'with --approve: for all further starts of this configuration' },
    json,
    ...dataDirFlag,
  },
  run(context) {
    const { argument = '', flags, terminal } = context;
    if (flags.isSet('always') && !flags.isSet('approve')) throw new UsageError('--always needs --approve.');
    return withWorkbench(context, async ({ client, joined }) => {
      const { id, name, state } = await findServer(client, argument);
      const values = flags.texts('set');
      // New values start a server that is ready again.
      await setValues(client, { id, name }, values);
      const wasReady = state === 'ready';
      const fingerprint = flags.text('approve');
      if (!wasReady) await client.servers.start({ id });
      else if (fingerprint !== undefined)
        await client.servers.approve({ id, fingerprint, always: flags.isSet('always') });
      const asks = (await rowOf(client, id)).state === 'asking';
      const approved = asks ? await approveServer(context, client, { id, name }) : 'always';
      if (approved === undefined) return exitCodes.refused;
      const row = await untilReady({ client, terminal }, id);
      if (flags.isSet('json')) terminal.print(`${JSON.stringify(row, null, 2)}\n`);
      const again = values.length > 0 ? 'was started again with the values, and is ready' : 'runs already,';
      terminal.note(`${firstLine(name)} ${wasReady ? again : 'is ready'} with ${toolsText(row.counts.tools)}.\n`);
      if (!joined) {
        terminal.note('No Toolwire runs on this data directory, so the server ends now.\n');
        if (approved === 'once')
          terminal.note(
            'It is approved for this start only. With "a", or --always, other commands can start it, too.\n',
          );
      }
      return exitCodes.ok;
    });
  },
};

function action(verb: 'stop' | 'remove', summary: string, done: string): Command {
  return {
    name: `servers ${verb}`,
    argument: { label: 'SERVER', required: true },
    summary,
    details: 'SERVER is its id, at least the first 4 characters of the id, or its name.',
    flags: { json, ...dataDirFlag },
    run: (context) =>
      withWorkbench(context, async ({ client }) => {
        const { id, name } = await findServer(client, context.argument ?? '');
        await client.servers[verb]({ id });
        report(context, { id, name }, '');
        context.terminal.note(`${firstLine(name)} is ${done}.\n`);
        return exitCodes.ok;
      }),
  };
}

const consumerNames = toolConsumers.map((consumer) => consumerWords[consumer].toLowerCase());

function wordsOf(consumers: readonly ToolConsumer[]): string {
  return consumers.map((consumer) => consumerWords[consumer]).join(', ');
}

const offer: Command = {
  name: 'servers offer',
  argument: { label: 'SERVER', required: true },
  summary: 'Offer the tools of an MCP server to MCP hosts, models or devices, or withdraw the offer.',
  details:
    'SERVER is its id, at least the first 4 characters of the id, or its name. The tools of a new server are not offered: only you\n' +
    'can call them. Asks before it offers them. "toolwire servers list" prints to whom the tools are offered. Exit code 3 if the\n' +
    'user does not agree or cannot be asked.',
  flags: {
    to: {
      type: 'string',
      value: 'CONSUMER',
      repeats: true,
      help: `${consumerNames.join(', ')}; by default hosts; may be repeated`,
    },
    off: { type: 'boolean', help: 'withdraw the offer' },
    yes: { type: 'boolean', help: 'offer the tools without asking' },
    json,
    ...dataDirFlag,
  },
  run(context) {
    const { argument = '', flags, terminal } = context;
    const wanted = new Set(flags.isSet('to') ? flags.texts('to').map(consumerOf) : ['host' as const]);
    return withWorkbench(context, async ({ client }) => {
      const row = await findServer(client, argument);
      const { id, name, changedTools } = row;
      const before = new Set(row.consumers);
      const consumers = toolConsumers.filter((each) => (wanted.has(each) ? !flags.isSet('off') : before.has(each)));
      const added = consumers.filter((each) => !before.has(each));
      if (added.length > 0 && !flags.isSet('yes') && !(await mayOffer(row, added, terminal))) {
        report(context, { id, name, consumers: row.consumers }, '');
        return exitCodes.refused;
      }
      await client.servers.setConsumers({ id, consumers });
      report(context, { id, name, consumers }, '');
      terminal.note(
        consumers.length === 0
          ? `Only you can call the tools of ${firstLine(name)}.\n`
          : `The tools of ${firstLine(name)} are offered to: ${wordsOf(consumers)}.\n`,
      );
      if (changedTools > 0 && consumers.length > 0)
        terminal.note(
          `Withheld until you accept their definitions: ${changedTools}. toolwire servers accept ${wordOf(row)}\n`,
        );
      return exitCodes.ok;
    });
  },
};

/** Asks before the tools are offered to further consumers. */
async function mayOffer({ name }: ServerRow, to: readonly ToolConsumer[], terminal: Terminal): Promise<boolean> {
  const tools = `tools of ${firstLine(name)}`;
  if (terminal.interactive) return isYes(await terminal.ask(`Offer the ${tools} to: ${wordsOf(to)}? [y/N] `));
  terminal.note(`toolwire: The ${tools} were not offered: the user cannot be asked here. --yes offers them.\n`);
  return false;
}

function consumerOf(given: string): ToolConsumer {
  const found = toolConsumers[consumerNames.indexOf(given.trim().toLowerCase())];
  if (found !== undefined) return found;
  throw new UsageError(`--to must be one of ${consumerNames.join(', ')}; it is "${given}".`);
}

/** The commands for stored MCP servers. */
export const serverCommands: readonly Command[] = [
  list,
  importing(
    'servers add',
    'TEXT',
    'Add an MCP server: a command line, a URL or an installation link.',
    (text) => Promise.resolve(text),
    {
      name: {
        type: 'string',
        value: 'NAME',
        help: 'the name of the server; by default that of its package, program or host',
      },
    },
  ),
  importing('servers import', 'FILE|-', 'Add the MCP servers of a configuration file.', async (file, terminal) =>
    file === '-' ? terminal.readInput() : readFileText(file, 4 * maxConfigLength),
  ),
  exporting,
  start,
  offer,
  action('stop', 'Stop an MCP server.', 'stopped'),
  action('remove', 'Stop an MCP server and move it to the trash.', 'removed'),
];

function linesOf(servers: readonly ServerRow[]): string {
  const rows = servers.map(({ id, name, state, counts, place, changedTools, consumers }) => {
    // The tools of a server that was never started are not known.
    const tools = counts.tools === 0 && state !== 'ready' ? '–' : counts.tools;
    const shown = shownState({ state, changedTools });
    const word = shown === 'changed' ? `${serverWords.changed} (${changedTools})` : serverWords[shown];
    const offered = consumers.length === 0 ? 'not offered' : `offered to ${wordsOf(consumers)}`;
    return [name, word, toolsText(tools), id, offered, place];
  });
  return textTable(rows, { below: servers.map(({ failure }) => (failure ? reasonLines(failure) : [])) });
}
