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

/** The facts of a start: which program is run with which arguments, where, and with which variables. */
export function consentFacts(endpoint: ServerEndpoint): ConsentFacts {
  const facts: ConsentFacts['facts'] = {};
  const values = endpoint.type === 'stdio' ? endpoint.env : endpoint.headers;
  const names = Object.keys(values).sort();
  if (endpoint.type === 'stdio') {
    const program = findProgram(endpoint);
    // As JSON, so that an argument with a space is not taken for two.
    facts.command = [endpoint.command, ...endpoint.args].map((part) => JSON.stringify(part)).join(' ');
    facts.program = 'path' in program ? realpathSync(program.path) : '';
    facts.cwd = endpoint.cwd ?? '';
    facts.env = names.join(', ');
  } else {
    facts.url = `${endpoint.type} ${endpoint.url}`;
    facts.headers = names.join(', ');
  }
  // The values count, too: a variable such as NODE_OPTIONS decides what a program does.
  const content = JSON.stringify([facts, names.map((name) => values[name])]);
  return { facts, fingerprint: createHash('sha256').update(content).digest('hex') };
}

/** What the user is shown before a start. */
export function consentSheet(endpoint: ServerEndpoint, approved: KeptServer['approved']): ConsentSheet {
  const { facts, fingerprint } = consentFacts(endpoint);
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
