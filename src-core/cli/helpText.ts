import type { Command } from './command.ts';

/** `toolwire --help`. */
export function overviewText(commands: readonly Command[], version: string): string {
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
export function commandText({ name, argument, summary, details, flags }: Command): string {
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
