/** Programs that download a package and run it. */
interface Runner {
  /** The words after the name of the program, each with its alternatives. */
  words: readonly (readonly string[])[];
  kind: 'node' | 'python' | 'dotnet';
}

const runners: Readonly<Record<string, Runner>> = {
  npx: { words: [], kind: 'node' },
  npm: { words: [['exec', 'x']], kind: 'node' },
  pnpx: { words: [], kind: 'node' },
  pnpm: { words: [['dlx']], kind: 'node' },
  yarn: { words: [['dlx']], kind: 'node' },
  bunx: { words: [], kind: 'node' },
  bun: { words: [['x']], kind: 'node' },
  uvx: { words: [], kind: 'python' },
  uv: { words: [['tool'], ['run']], kind: 'python' },
  pipx: { words: [['run']], kind: 'python' },
  dnx: { words: [], kind: 'dotnet' },
};

/** Options that name a package in place of the command, and one that names a further package. */
const packageOptions = {
  node: ['-p', '--package'],
  python: ['--from', '--spec'],
  dotnet: [] as string[],
};
const furtherPackage = '--with';
/** Other options whose value may be the next word. */
const valuedOptions = new Set(
  [
    '-c --call --registry --prefix --cache --userconfig -w --workspace',
    '-p --python --index --index-url --default-index --extra-index-url --directory --pip-args',
    '--source --add-source --configfile',
  ].flatMap((options) => options.split(' ')),
);

/** An exact version. Of `pkg@1`, the newest 1.x is run; in Python, `pkg==1.2` means 1.2.0. */
const pinned = {
  node: /.@v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
  python: /.(?:==|@)\d[-+.\w]*$/,
  dotnet: /.@\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/,
};

/** The words of a command line that name a package without an exact version: what is run may change from start to start. */
export function unpinnedPackages(program: string, args: readonly string[]): string[] {
  const runner = Object.hasOwn(runners, program) ? runners[program] : undefined;
  if (runner === undefined) return [];
  const { kind } = runner;
  return packagesOf(runner, args).filter((word) => {
    const name = word.replace(/^--?[\w-]+=/, '');
    return !pinned[kind].test(name) && !/^[./~]/.test(name);
  });
}

function packagesOf({ words, kind }: Runner, args: readonly string[]): string[] {
  const skipped = [...words];
  const named: string[] = [];
  const further: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) {
      const expected = skipped.shift();
      if (expected === undefined) return [...(named.length > 0 ? named : [word]), ...further];
      if (!expected.includes(word)) return [];
      continue;
    }
    const [option = '', value] = word.split('=', 2);
    const found = packageOptions[kind].includes(option) ? named : option === furtherPackage ? further : undefined;
    const takesNext = value === undefined && (found !== undefined || valuedOptions.has(option));
    if (takesNext) at += 1;
    const name = value === undefined ? args[at] : word;
    if (name !== undefined) found?.push(name);
  }
  return [...named, ...further];
}
