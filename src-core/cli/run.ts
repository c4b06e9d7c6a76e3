import { describeThrown } from '../base/describeThrown.ts';
import { nearestNames } from '../base/nearestNames.ts';
import { version } from '../base/version.ts';
import { serversAcceptCommand } from './acceptDefinitions.ts';
import { callCommand } from './call.ts';
import { exportCommand, importCommand } from './captures.ts';
import type { Command } from './command.ts';
import { deviceCommand } from './device.ts';
import { approveCommand, devicesCommand, disconnectCommand, forgetCommand, rejectCommand } from './devices.ts';
import { historyCommand } from './cluster.ts';
import { endpointCommands } from './endpoint.ts';
import { ExitError, exitCodes } from './exitCodes.ts';
import { gatewayCommand } from './gateway.ts';
import { mcpCommand } from './mcp.ts';
import { mcpConformanceClient } from './mcpConformance.ts';
import { conformanceCommand } from './mcpSuite.ts';
import { nodesCommand } from './nodes.ts';
import { parseCommand } from './parse.ts';
import { readCommandLine } from './readCommandLine.ts';
import { replayCommand } from './replay.ts';
import { serveCommand } from './serve.ts';
import { serverCommands } from './serverActions.ts';
import { serverSignInCommand } from './serverSignIn.ts';
import { serversConvertCommand, serversShowCommand } from './servers.ts';
import type { Terminal } from './terminal.ts';
import { testCommand } from './test.ts';
import { toolsCommand } from './tools.ts';
import { UsageError } from './usageError.ts';

const commands: readonly Command[] = [
  serveCommand,
  parseCommand,
  toolsCommand,
  callCommand,
  testCommand,
  conformanceCommand,
  deviceCommand,
  devicesCommand,
  approveCommand,
  rejectCommand,
  disconnectCommand,
  forgetCommand,
  historyCommand,
  nodesCommand,
  gatewayCommand,
  mcpCommand,
  mcpConformanceClient,
  exportCommand,
  importCommand,
  replayCommand,
  serversShowCommand,
  serversConvertCommand,
  ...serverCommands,
  serverSignInCommand,
  serversAcceptCommand,
  ...endpointCommands,
];

const listed = commands.filter(({ hidden }) => hidden !== true);

/** Runs a command line to its end and returns the exit code. Never rejects. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  // The name of a command has one word, or two.
  const words = commands.some((each) => each.name === args.slice(0, 2).join(' ')) ? 2 : 1;
  const name = args.length === 0 ? undefined : args.slice(0, words).join(' ');
  const rest = args.slice(words);
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const text = overviewText(listed, version);
      if (name === undefined) terminal.note(text);
      else terminal.print(text);
      return name === undefined ? exitCodes.usage : exitCodes.ok;
    }
    if (name === '--version' || name === '-v') {
      terminal.print(`${version}\n`);
      return exitCodes.ok;
    }
    const group = listed.filter((each) => each.name.startsWith(`${name} `));
    if (group.length > 0 && (rest.length === 0 || rest[0] === '--help' || rest[0] === '-h')) {
      terminal.print(overviewText(group, version));
      return rest.length === 0 ? exitCodes.usage : exitCodes.ok;
    }
    const command = commands.find((each) => each.name === name) ?? unknownCommand(name, rest[0]);
    const { wantsHelp, ...given } = readCommandLine(command, rest);
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
    const known = commands.some((each) => each.name === name || each.name.startsWith(`${name} `));
    terminal.note(`Try "toolwire ${known ? `${name} ` : ''}--help".\n`);
    return exitCodes.usage;
  }
}

function unknownCommand(name: string, second = ''): never {
  const isGroup = commands.some((each) => each.name.startsWith(`${name} `));
  const query = isGroup ? `${name} ${second}` : name;
  const [nearest] = nearestNames({ query, items: commands, keysOf: (each) => [each.name], limit: 1 });
  throw new UsageError(
    `There is no ${name.startsWith('-') ? 'flag' : 'command'} "${query}".${nearest ? ` Did you mean "${nearest.name}"?` : ''}`,
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
