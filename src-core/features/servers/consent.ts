import { createHash, createHmac } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';

import type { ConsentField, ConsentSheet, ServerVariable } from '../../contract/serverConsent.ts';
import { environmentOf, locateProgram } from '../../mcp/findProgram.ts';
import type { ServerEndpoint } from '../../mcp/types.ts';
import { isUnencrypted } from '../../mcp/urlSchemes.ts';
import { unpinnedPackages } from './unpinnedPackages.ts';
import { commandWord } from './configFiles/commandWord.ts';
import { folderOf, type ExpandedEndpoint } from './configFiles/expandEndpoint.ts';

/** Everything that an approval is of, and its digest. */
export interface ConsentFacts {
  fingerprint: string;
  facts: Partial<Record<ConsentField, string>>;
}

/** What the user approved, with a mark of each value. */
export type Approval = ConsentFacts & { values: Record<string, string> };

type Expanded = ExpandedEndpoint & { written: ServerEndpoint };

/** The variables that need a value before a start. */
export function missingIn({ variables }: Pick<Expanded, 'variables'>): ServerVariable[] {
  return variables.filter(({ from }) => from === 'missing');
}

/**
 * What is approved: which program is run with which arguments, where, and with which variables. The kept facts are those of `written`,
 * so they contain no values of variables.
 */
export async function consentFacts({
  endpoint,
  written,
}: Pick<Expanded, 'endpoint' | 'written'>): Promise<ConsentFacts> {
  const program = endpoint.type === 'stdio' ? (await locateProgram(endpoint)).program : undefined;
  const found: ConsentFacts['facts'] =
    program === undefined ? {} : { program: 'path' in program ? realpathSync(program.path) : '' };
  const values = endpoint.type === 'stdio' ? endpoint.env : endpoint.headers;
  // The values count, too: a variable such as NODE_OPTIONS decides what a program does.
  const content = JSON.stringify([{ ...factsOf(endpoint), ...found }, namesOf(endpoint).map((name) => values[name])]);
  const fingerprint = createHash('sha256').update(content).digest('hex');
  return { facts: { ...factsOf(written), ...found }, fingerprint };
}

export async function approvalOf(expanded: Expanded): Promise<Approval> {
  const approved = await consentFacts(expanded);
  return { ...approved, values: marksOf(expanded, approved.fingerprint) };
}

/**
 * Tells whether the value of a variable or header has changed. 16 bits of a digest are too few to find the value by them; whether
 * anything has changed is what the fingerprint tells.
 */
function marksOf({ endpoint, replaced }: Expanded, fingerprint: string): Record<string, string> {
  const own = endpoint.type === 'stdio' ? endpoint.env : endpoint.headers;
  const mark = (name: string, value: string): string =>
    createHmac('sha256', fingerprint)
      .update(JSON.stringify([name, value]))
      .digest('hex')
      .slice(0, 4);
  return Object.fromEntries([...Object.entries(own), ...replaced].map(([name, value]) => [name, mark(name, value)]));
}

function namesOf(endpoint: ServerEndpoint): string[] {
  return Object.keys(endpoint.type === 'stdio' ? endpoint.env : endpoint.headers).sort();
}

/** What is approved, but for the program. */
export function factsOf(endpoint: ServerEndpoint): ConsentFacts['facts'] {
  const names = namesOf(endpoint).join(', ');
  if (endpoint.type !== 'stdio') return { url: `${endpoint.type} ${endpoint.url}`, headers: names };
  return {
    // JSON keeps an argument with a space from being mistaken for two.
    command: [endpoint.command, ...endpoint.args].map((part) => JSON.stringify(part)).join(' '),
    cwd: folderOf(endpoint.cwd),
    env: names,
  };
}

/** What the user is shown before a start. */
export async function consentSheet(expanded: Expanded, approved: Approval | undefined): Promise<ConsentSheet> {
  const { endpoint, shown } = expanded;
  const { facts, fingerprint } = await consentFacts(expanded);
  const before = approved?.facts ?? {};
  const changes = approved
    ? (Object.keys(facts) as ConsentField[])
        .filter((field) => facts[field] !== (before[field] ?? ''))
        .map((field) => ({ field, before: before[field] ?? '', after: facts[field] ?? '' }))
    : [];
  const marks = approved ? marksOf(expanded, approved.fingerprint) : {};
  const values = Object.keys(marks).filter((name) => (approved?.values[name] ?? marks[name]) !== marks[name]);
  const common = { fingerprint, changes, values, missing: missingIn(expanded), approvedBefore: approved !== undefined };
  if (endpoint.type !== 'stdio' || shown.type !== 'stdio') {
    const url = shown.type === 'stdio' ? '' : shown.url;
    const warnings: ConsentSheet['warnings'] =
      endpoint.type !== 'stdio' && isUnencrypted(endpoint.url) ? [{ code: 'unencrypted', part: url }] : [];
    return { ...common, command: [], envNames: [], url, headerNames: namesOf(endpoint), warnings };
  }
  const { program } = await locateProgram(endpoint);
  const words = [endpoint.command, ...endpoint.args];
  const seen = [shown.command, ...shown.args];
  const warnings = warningsOf(words);
  const risky = new Set(warnings.map(({ part }) => part));
  const own = new Set(Object.keys(endpoint.env));
  return {
    ...common,
    command: words.map((word, at) => ({ text: commandWord(seen[at] ?? ''), risk: risky.has(word) })),
    ...('path' in program
      ? { program: { path: program.path, realPath: realpathSync(program.path) } }
      : { searched: program.searched }),
    cwd: shown.cwd,
    envNames: [
      ...Object.keys(environmentOf({}))
        .filter((name) => !own.has(name))
        .map((name) => ({ name, from: 'allow-list' as const })),
      ...[...own].flatMap((name) => (endpoint.env[name] === '' ? [] : [{ name, from: 'secret' as const }])),
    ],
    headerNames: [],
    warnings: warnings.map(({ code, part }) => ({ code, part: seen[words.indexOf(part)] ?? part })),
  };
}

/** Parts of a command line that deserve a second look. */
function warningsOf(words: readonly string[]): ConsentSheet['warnings'] {
  const [, ...args] = words;
  const found: ConsentSheet['warnings'] = unpinnedPackages(words).map((part) => ({ code: 'unpinned', part }));
  // Another program, such as `env` or `docker`, may start it.
  const shell = words.find(isProgram(/^(?:(?:ba|z|da|a|fi|k|mk|c|tc)?sh|cmd|powershell|pwsh)$/i));
  if (shell !== undefined) found.push({ code: 'shell', part: shell });
  const administrator = words.find(isProgram(/^(?:sudo|doas|pkexec)$/i));
  if (administrator !== undefined) found.push({ code: 'administrator', part: administrator });
  const privileged = args.find((arg) => /^--privileged(=true)?$/.test(arg));
  if (privileged !== undefined) found.push({ code: 'privileged', part: privileged });
  const wide = new Set(['/', '~', '~/', '$HOME', homedir(), `${homedir()}/`, 'C:\\']);
  for (const arg of args) {
    const value = arg.replace(/^--?[\w-]+=|^-v/, '');
    // Docker takes `PATH:PATH-IN-CONTAINER` and `type=bind,source=PATH,target=PATH-IN-CONTAINER`.
    const [mounted = ''] = /^(?:[A-Za-z]:)?[^:]*/.exec(value) ?? [];
    const sources = value.split(',').map((part) => part.replace(/^(?:source|src)=/, ''));
    if ([mounted, ...sources].some((path) => wide.has(path))) found.push({ code: 'wide-path', part: arg });
  }
  return found;
}

/** Whether a word is the name of a program, or ends like its path. The package `@scope/sh` does not. */
function isProgram(name: RegExp): (word: string) => boolean {
  return (word) => !word.startsWith('@') && name.test(word.replace(/^.*[/\\]/, '').replace(/\.(?:cmd|exe)$/i, ''));
}
