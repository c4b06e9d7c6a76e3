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
    '"toolwire COMMAND --help" says more. --version prints the version.',
    'Exit codes: 0 fine, 1 it failed, 2 the command line is wrong.',
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
    ...table([...rows, ['-h, --help', 'this text']]),
    '',
  ].join('\n');
}

function table(rows: string[][]): string[] {
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`);
}
