import { describeThrown } from '../base/describeThrown.ts';
import { nearestNames } from '../base/nearestNames.ts';
import { version } from '../base/version.ts';
import type { Command } from './command.ts';
import { ExitError, exitCodes } from './exitCodes.ts';
import { readCommandLine } from './readCommandLine.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

/**
 * The commands by the first word of their names, in the order of the help. One command loads only what it needs: everything takes
 * a tenth of a second more.
 */
const commandsOf: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import('./serve.ts')).serveCommand],
  parse: async () => [(await import('./parse.ts')).parseCommand],
  tools: async () => [(await import('./tools.ts')).toolsCommand],
  call: async () => [(await import('./call.ts')).callCommand],
  test: async () => [(await import('./test.ts')).testCommand],
  conformance: async () => [(await import('./mcpSuite.ts')).conformanceCommand],
  device: async () => [(await import('./device.ts')).deviceCommand],
  devices: async () => [(await import('./devices.ts')).devicesCommand],
  approve: async () => [(await import('./devices.ts')).approveCommand],
  reject: async () => [(await import('./devices.ts')).rejectCommand],
  disconnect: async () => [(await import('./devices.ts')).disconnectCommand],
  forget: async () => [(await import('./devices.ts')).forgetCommand],
  history: async () => [(await import('./cluster.ts')).historyCommand],
  nodes: async () => [(await import('./nodes.ts')).nodesCommand],
  gateway: async () => [(await import('./gateway.ts')).gatewayCommand],
  mcp: async () => [(await import('./mcp.ts')).mcpCommand, (await import('./mcpConformance.ts')).mcpConformanceClient],
  export: async () => [(await import('./captures.ts')).exportCommand],
  import: async () => [(await import('./captures.ts')).importCommand],
  replay: async () => [(await import('./replay.ts')).replayCommand],
  servers: async () => {
    const { serversShowCommand, serversConvertCommand } = await import('./servers.ts');
    const { serverCommands } = await import('./serverActions.ts');
    const { serverSignInCommand } = await import('./serverSignIn.ts');
    const { serversAcceptCommand } = await import('./acceptDefinitions.ts');
    return [serversShowCommand, serversConvertCommand, ...serverCommands, serverSignInCommand, serversAcceptCommand];
  },
  endpoint: async () => (await import('./endpoint.ts')).endpointCommands,
};

const allCommands = async (): Promise<Command[]> =>
  (await Promise.all(Object.values(commandsOf).map((load) => load()))).flat();

const isListed = ({ hidden }: Command): boolean => hidden !== true;

/** Runs a command line to its end and returns the exit code. Never rejects. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first, second] = args;
  let name = first;
  let isKnown = false;
  try {
    if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
      const text = overviewText((await allCommands()).filter(isListed), version);
      if (first === undefined) terminal.note(text);
      else terminal.print(text);
      return first === undefined ? exitCodes.usage : exitCodes.ok;
    }
    if (first === '--version' || first === '-v') {
      terminal.print(`${version}\n`);
      return exitCodes.ok;
    }
    const commands = Object.hasOwn(commandsOf, first) ? ((await commandsOf[first]?.()) ?? []) : [];
    isKnown = commands.length > 0;
    const group = commands.filter((each) => isListed(each) && each.name.startsWith(`${first} `));
    if (group.length > 0 && (second === undefined || second === '--help' || second === '-h')) {
      terminal.print(overviewText(group, version));
      return second === undefined ? exitCodes.usage : exitCodes.ok;
    }
    // The name of a command has one word, or two.
    const command =
      commands.find((each) => each.name === `${first} ${second}`) ?? commands.find((each) => each.name === first);
    if (command === undefined)
      return unknownCommand(group.length > 0 ? `${first} ${second}` : first, await allCommands());
    ({ name } = command);
    const { wantsHelp, ...given } = readCommandLine(command, args.slice(name.split(' ').length));
    if (wantsHelp) {
      terminal.print(commandText(command));
      return exitCodes.ok;
    }
    return await command.run({ ...given, terminal });
  } catch (error) {
    // At a question, Ctrl+C is no signal.
    const isAbort = error instanceof Error && error.name === 'AbortError';
    terminal.note(`toolwire: ${isAbort ? 'Cancelled.' : describeThrown(error)}\n`);
    if (isAbort || terminal.ended.aborted) return exitCodes.interrupted;
    if (error instanceof ExitError) return error.exitCode;
    if (!(error instanceof UsageError)) return exitCodes.failed;
    terminal.note(`Try "toolwire ${isKnown ? `${name} ` : ''}--help".\n`);
    return exitCodes.usage;
  }
}

function unknownCommand(given: string, commands: readonly Command[]): never {
  const [nearest] = nearestNames({ query: given, items: commands, keysOf: (each) => [each.name], limit: 1 });
  throw new UsageError(
    `There is no ${given.startsWith('-') ? 'flag' : 'command'} "${given}".${nearest ? ` Did you mean "${nearest.name}"?` : ''}`,
  );
}

/** `toolwire --help`. */
function overviewText(commands: readonly Command[], version: string): string {
  return [
    `Toolwire ${version}: browse, parse and run everything a model can call.`,
    '',
    'Usage: toolwire COMMAND [FLAGS]',
    '',
    ...table(commands.map(({ name, argument, summary }) => [argument ? `${name} ${argument.label}` : name, summary])),
    '',
    '"toolwire COMMAND --help" describes a command. --version prints the version.',
    'Exit codes: 0 success, 1 failure, 2 invalid command line, 3 an approval or an answer of the user is missing, 4 an MCP server',
    'does not start or cannot be reached, 130 interrupted. Results go to standard output, everything else to standard error.',
    '',
  ].join('\n');
}

/** `toolwire COMMAND --help`. */
function commandText({ name, argument, summary, details, flags }: Command): string {
  const rows = Object.entries(flags)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([flag, { value, help }]) => [value ? `--${flag} ${value}` : `--${flag}`, help]);
  return [
    `Usage: toolwire ${name}${argument ? ` ${argument.label}` : ''} [FLAGS]`,
    '',
    summary,
    ...(details ? ['', details] : []),
    '',
    ...table([...rows, ['-h, --help', 'show this help']]),
    '',
  ].join('\n');
}

function table(rows: string[][]): string[] {
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`);
}
