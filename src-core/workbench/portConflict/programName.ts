import { resolve } from 'node:path';

const interpreters = /^(node|bun|deno|python[\d.]*|ruby|java|dotnet|electron)$/i;
/** Options of theirs that take the next argument, and those that take a program's text. */
const takesOne = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|-W|-X|-cp|-classpath)$/;
const takesText = /^(-e|-c|-p|-pe|--eval|--print)$/;

/**
 * What people call a program, of its command line: an interpreter with its script, one of ours as `Toolwire`. No other
 * argument is shown: they may hold secrets. `cwd` is its working folder, where that is known.
 */
export function programName(command: readonly string[], cwd = '/'): string | undefined {
  const [path = '', ...rest] = command;
  if (path === '') return undefined;
  const program = lastPart(path).replace(/\.exe$/i, '');
  const script = interpreters.test(program) ? scriptOf(rest) : undefined;
  if (/^toolwire$/i.test(program) || (script !== undefined && isToolwire(script, cwd))) return 'Toolwire';
  return script === undefined ? program : `${program} ${lastPart(script)}`;
}

function scriptOf(args: readonly string[]): string | undefined {
  for (const [index, argument] of args.entries()) {
    if (takesText.test(argument)) return undefined;
    const isValue = takesOne.test(args[index - 1] ?? '');
    if (!isValue && !argument.startsWith('-') && /[./\\]/.test(argument)) return argument;
  }
  return undefined;
}

/** Installed under its name, or started as we were. */
function isToolwire(script: string, cwd: string): boolean {
  const installed = /(^|[/\\])(node_modules[/\\]toolwire[/\\][^]*|toolwire)$/i.test(script);
  return installed || resolve(cwd, script) === process.argv[1];
}

/** Whichever system wrote the path. */
function lastPart(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? '').slice(0, 64);
}
