import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';

import type { ConsentField, ConsentSheet } from '../../contract/servers.ts';
import { environmentOf, findProgram } from '../../mcp/findProgram.ts';
import type { ServerEndpoint } from '../../mcp/types.ts';
import type { KeptServer } from './serverBook.ts';

/** Everything that an approval is of, and its digest. */
export interface ConsentFacts {
  fingerprint: string;
  facts: Partial<Record<ConsentField, string>>;
}

/**
 * What is approved: which program is run with which arguments, where, and with which variables. The kept facts are those of `written`,
 * so they contain no values of variables.
 */
export function consentFacts(endpoint: ServerEndpoint, written: ServerEndpoint): ConsentFacts {
  const facts = factsOf(endpoint);
  const values = endpoint.type === 'stdio' ? endpoint.env : endpoint.headers;
  // The values count, too: a variable such as NODE_OPTIONS decides what a program does.
  const content = JSON.stringify([facts, namesOf(endpoint).map((name) => values[name])]);
  const fingerprint = createHash('sha256').update(content).digest('hex');
  const { program } = facts;
  return { facts: { ...factsOf(written), ...(program !== undefined && { program }) }, fingerprint };
}

function namesOf(endpoint: ServerEndpoint): string[] {
  return Object.keys(endpoint.type === 'stdio' ? endpoint.env : endpoint.headers).sort();
}

function factsOf(endpoint: ServerEndpoint): ConsentFacts['facts'] {
  const names = namesOf(endpoint).join(', ');
  if (endpoint.type !== 'stdio') return { url: `${endpoint.type} ${endpoint.url}`, headers: names };
  const program = findProgram(endpoint);
  return {
    // As JSON, so that an argument with a space is not taken for two.
    command: [endpoint.command, ...endpoint.args].map((part) => JSON.stringify(part)).join(' '),
    program: 'path' in program ? realpathSync(program.path) : '',
    cwd: endpoint.cwd ?? '',
    env: names,
  };
}

/** What the user is shown before a start. */
export function consentSheet(
  endpoint: ServerEndpoint,
  written: ServerEndpoint,
  approved: KeptServer['approved'],
): ConsentSheet {
  const { facts, fingerprint } = consentFacts(endpoint, written);
  const before = approved?.facts ?? {};
  const changes = approved
    ? (Object.keys(facts) as ConsentField[])
        .filter((field) => facts[field] !== (before[field] ?? ''))
        .map((field) => ({ field, before: before[field] ?? '', after: facts[field] ?? '' }))
    : [];
  if (endpoint.type !== 'stdio') {
    const { url, headers } = endpoint;
    const headerNames = Object.keys(headers);
    return { fingerprint, command: [], envNames: [], url, headerNames, warnings: [], changes };
  }
  const program = findProgram(endpoint);
  const warnings = warningsOf([endpoint.command, ...endpoint.args]);
  const risky = new Set(warnings.map(({ part }) => part));
  const own = new Set(Object.keys(endpoint.env));
  return {
    fingerprint,
    command: [endpoint.command, ...endpoint.args].map((text) => ({ text, risk: risky.has(text) })),
    ...('path' in program
      ? { program: { path: program.path, realPath: realpathSync(program.path) } }
      : { searched: program.searched }),
    ...(endpoint.cwd !== undefined && { cwd: endpoint.cwd }),
    envNames: [
      ...Object.keys(environmentOf({}))
        .filter((name) => !own.has(name))
        .map((name) => ({ name, from: 'allow-list' as const })),
      ...[...own].map((name) => ({ name, from: 'secret' as const })),
    ],
    headerNames: [],
    warnings,
    changes,
  };
}

/** Parts of a command line that deserve a second look. */
function warningsOf(words: readonly string[]): ConsentSheet['warnings'] {
  const [command = '', ...args] = words;
  const program = command.replace(/^.*[/\\]/, '').replace(/\.(cmd|exe)$/i, '');
  const found: ConsentSheet['warnings'] = [];
  if (['npx', 'uvx', 'bunx', 'pnpx'].includes(program)) {
    const named = args.find((arg) => !arg.startsWith('-'));
    if (named !== undefined && !/.[@=]=?\d/.test(named) && !/^[./~]/.test(named)) {
      found.push({ code: 'unpinned', part: named });
    }
  }
  if (/^(ba|z|da|fi)?sh$|^(cmd|powershell|pwsh)$/.test(program)) found.push({ code: 'shell', part: command });
  const administrator = [command, ...args].find((word) => /^(.*\/)?(sudo|doas|pkexec)$/.test(word));
  if (administrator !== undefined) found.push({ code: 'administrator', part: administrator });
  if (args.includes('--privileged')) found.push({ code: 'privileged', part: '--privileged' });
  const wide = new Set(['/', '~', '~/', '$HOME', homedir(), `${homedir()}/`, 'C:\\']);
  for (const arg of args) if (wide.has(arg)) found.push({ code: 'wide-path', part: arg });
  return found;
}
