import { describeThrown } from '../base/describeThrown.ts';
import { diffLines } from '../base/diffLines.ts';
import { visibleLine } from '../base/hiddenCharacters.ts';
import type { DefinitionChange, ToolWarning } from '../contract/serverTools.ts';
import type { Command, GivenFlags } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';
import { createNeededServers, findServer } from './neededServers.ts';
import { isYes, type Terminal } from './terminal.ts';

/** `toolwire servers accept`: the definitions of tools that are withheld because they changed. */
export const serversAcceptCommand: Command = {
  name: 'servers accept',
  argument: { label: 'SERVER', required: true },
  summary: 'Accept the changed definitions of the tools of an MCP server.',
  details:
    'SERVER is its id, at least the first 4 characters of the id, or its name. Shows how each definition differs from the accepted\n' +
    'one, with hidden characters as codes, and asks. A tool whose definition has changed, or that is new, is withheld from models,\n' +
    'hosts and devices until you accept it. If the server does not run, it is started for this command. Exit code 3 if a\n' +
    'definition is not accepted or the server is not approved.',
  flags: {
    tool: { type: 'string', value: 'NAME', repeats: true, help: 'only the definition of this tool; may be repeated' },
    yes: { type: 'boolean', help: 'accept without asking; a tool with a warning only with --tool' },
    json: { type: 'boolean', help: 'print the changes and the names of the accepted tools as JSON' },
    ...dataDirFlag,
  },
  run: ({ argument = '', flags, terminal }) =>
    withWorkbench({ flags, terminal }, async ({ client }) => {
      const row = await findServer(client, argument);
      const { id, name } = row;
      const servers = createNeededServers({ client, terminal });
      const report = (of: { changes: DefinitionChange[]; accepted: string[]; problems: string[] }): void => {
        if (flags.isSet('json')) terminal.print(`${JSON.stringify({ id, name, ...of }, null, 2)}\n`);
      };
      try {
        await servers.start(row).catch((error: unknown) => {
          report({ changes: [], accepted: [], problems: [describeThrown(error)] });
          throw error;
        });
        const changes = wantedOf(await client.servers.definitionChanges({ id }), flags.texts('tool'), name);
        const tools = await choose({ flags, terminal }, changes);
        if (tools.length > 0) await client.servers.acceptDefinitions({ id, tools });
        // One that has changed again since it was shown is not accepted.
        const left = new Set((await client.servers.definitionChanges({ id })).map(({ tool }) => tool));
        const accepted = changes.flatMap(({ tool }) => (left.has(tool) ? [] : [tool]));
        report({ changes, accepted, problems: [] });
        if (changes.length === 0) terminal.note(`All definitions of ${firstLine(name)} are accepted.\n`);
        for (const { tool } of changes)
          terminal.note(
            `${visibleLine(tool)} is ${left.has(tool) ? 'not accepted, and stays withheld' : 'accepted'}.\n`,
          );
        return accepted.length < changes.length ? exitCodes.refused : exitCodes.ok;
      } finally {
        await servers.stop();
      }
    }),
};

/** The changes of the named tools, or all. @throws {Error} If a named tool has none. */
function wantedOf(changes: DefinitionChange[], names: readonly string[], server: string): DefinitionChange[] {
  const missing = names.find((name) => !changes.some(({ tool }) => tool === name));
  if (missing !== undefined)
    throw new Error(`${firstLine(server)} has no tool "${firstLine(missing)}" whose definition is not accepted.`);
  return names.length === 0 ? changes : changes.filter(({ tool }) => names.includes(tool));
}

/**
 * Shows each change, and asks unless --yes is set. A tool with a warning needs --tool for --yes.
 * Returns those to accept, with the hashes of what was shown.
 */
async function choose(
  { flags, terminal }: { flags: GivenFlags; terminal: Terminal },
  changes: readonly DefinitionChange[],
): Promise<{ tool: string; hash: string }[]> {
  const chosen: { tool: string; hash: string }[] = [];
  for (const change of changes) {
    const { tool, hash, warnings } = change;
    terminal.note(changeText(change));
    const accepts =
      (flags.isSet('yes') && (!warnings || flags.texts('tool').length > 0)) ||
      (terminal.interactive && isYes(await terminal.ask('Accept it? [y/N] ')));
    if (accepts) chosen.push({ tool, hash });
  }
  if (chosen.length < changes.length && !terminal.interactive)
    terminal.note(
      'toolwire: The user cannot be asked here. --yes accepts what is shown above, a tool with a warning only with --tool NAME.\n',
    );
  return chosen;
}

const warningTexts: Readonly<Record<ToolWarning['code'], (part: string) => string>> = {
  hidden: (part) => `the definition has hidden characters: ${part}`,
  long: (part) => `the description has ${part} characters; hosts may truncate it`,
  instruction: (part) => `the description gives the model instructions: ${part}`,
  'other-tool': (part) => `the description names tools of other servers: ${part}`,
};

/** The whole change. No text of a definition can add a line without its sign, and hidden characters are codes. */
function changeText({ tool, kind, fields, warnings = [] }: DefinitionChange): string {
  const lines = [
    `${tool} (${kind === 'added' ? 'new tool' : 'changed tool'})`,
    ...fields.flatMap(({ field, before = '', after = '', tooLong }) => [
      `  ${field}:`,
      ...(tooLong === true
        ? ['    more than 20,000 characters, so the change is not shown']
        : diffLines(before, after).map(({ sign, text }) => `    ${sign === 'gap' ? ' ' : sign} ${text}`)),
    ]),
    ...warnings.map(({ code, part }) => `  warning: ${warningTexts[code](part)}`),
  ];
  return lines.map((line) => `${visibleLine(line)}\n`).join('');
}
