/** Programs that download packages and run them, each with the commands that do so; a program without one always does. */
const runners: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  npm: ['exec', 'x'],
  pnpx: [],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bunx: [],
  bun: ['x'],
  uvx: [],
  uv: ['run'],
  pipx: ['run'],
  dnx: [],
  deno: [],
};
/** Programs that run the program that their arguments name. */
const launchers = new Set('cmd doas docker env nice nohup podman sudo timeout'.split(' '));
/** Options without a value. */
const flags = new Set(
  '-- -y --yes -q --quiet -s --silent -v --verbose -n --offline --prefer-offline --isolated --refresh --bun'.split(' '),
);
/** Options whose value is the next word. */
const valued = new Set(
  (
    '--registry --tag --cache --prefix --userconfig --loglevel --reporter -p --python --index --index-url --default-index ' +
    '--extra-index-url --directory --project --source --add-source --configfile'
  ).split(' '),
);

/** npm runs the newest 1.x for `pkg@1`; in Python, `pkg==1.2` means 1.2.0. */
const exactVersion = /^(?:npm:|jsr:)?(?:@[^/@:]+\/)?[^/@:]+@v?\d+\.\d+\.\d+(?:[-+.][\w.+-]+)?(?:\/.*)?$/;
const exactPython = /^[\w.-]+(?:===?|@)\d[-+!.\w]*$/;
/** A commit of a repository, or a path. */
const exactPlace = /[#@][0-9a-f]{40}$|^[./~]|^[A-Za-z]:\\/;

/**
 * The words of a command line that name a package without an exact version: what is run may change from start to start. A word after
 * an unknown option may be its value or the package: both it and the next one count, unless one of them is exact. Another program, such
 * as `cmd` or `docker`, may start the one that downloads them.
 */
export function unpinnedPackages(line: readonly string[]): string[] {
  const programs = line.map((word) => word.replace(/\.(?:cmd|exe)$/i, ''));
  const inFolders = programs.map((word) => word.replace(/^.*[/\\]/, ''));
  // What follows the first runner, or another program, may only end like a runner: the package `@scope/npx`, the folder `/srv/npx`.
  const first = launchers.has(inFolders[0] ?? '') ? inFolders.findIndex((name) => Object.hasOwn(runners, name)) : 0;
  const names = [...inFolders.slice(0, first + 1), ...programs.slice(first + 1)];
  return [...new Set(names.flatMap((name, at) => packagesOfRunner(name, line.slice(at + 1))))];
}

function packagesOfRunner(program: string, args: readonly string[]): string[] {
  const commands = Object.hasOwn(runners, program) ? runners[program] : undefined;
  if (commands === undefined) return [];
  const isPython = /^(?:uvx?|pipx)$/.test(program);
  const exact = isPython ? exactPython : exactVersion;
  const isExact = (word: string): boolean => {
    // The option and extras such as `[cli,ws]` are removed.
    const packages = word.replace(/^--?[\w-]+=/, '').replace(/\[[^[\]]*\]/g, '');
    return packages.split(',').every((each) => exact.test(each) || exactPlace.test(each));
  };
  const isOpen = (word: string): boolean => !isExact(word);
  if (program === 'deno')
    return args
      .filter((word) => /^(?:npm|jsr|https?):/.test(word))
      .slice(0, 1)
      .filter(isOpen);
  const start = args.findIndex((word) => commands.includes(word));
  if (start === -1 && commands.length > 0) return [];
  const words = args.filter((word, at) => at > start || (at < start && word !== 'tool'));
  const { named, bare } = packagesOf(words, isPython, isExact);
  // `uv run` runs a script.
  const isScript = program === 'uv' && !args.slice(0, start).includes('tool');
  return [...named, ...(isScript || bare.some(isExact) ? [] : bare)].filter(isOpen);
}

/** What options name, and the words in the place of the package unless an option names it. */
function packagesOf(
  words: readonly string[],
  isPython: boolean,
  isExact: (name: string) => boolean,
): { named: string[]; bare: string[] } {
  const inPlace = isPython ? ['--from', '--spec'] : ['-p', '--package'];
  const beside = isPython ? ['--with', '-w'] : [];
  const named: string[] = [];
  const bare: string[] = [];
  let isNamed = false;
  let mayBeValue = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, option, value] = /^(--?[^=]+)(=.*)?$/s.exec(word) ?? [];
    if (option === undefined) {
      bare.push(word);
      if (!mayBeValue || isExact(word)) break;
      mayBeValue = false;
    } else if (inPlace.includes(option) || beside.includes(option)) {
      isNamed ||= inPlace.includes(option);
      named.push(value === undefined ? (words[(at += 1)] ?? '') : word);
    } else if (value === undefined && valued.has(option)) at += 1;
    else mayBeValue = value === undefined && !flags.has(option) && !option.startsWith('--no-');
  }
  return { named, bare: isNamed ? [] : bare };
}
