import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

import { builtCli } from '../../helpers/builtCli.ts';
import { run } from '../../../src-core/cli/run.ts';
import { escapeControls } from '../../../src-core/base/hiddenCharacters.ts';
import type { Terminal } from '../../../src-core/cli/terminal.ts';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface CliProcess {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Everything it wrote, once it has ended. */
  ended: Promise<Ended>;
  /** The first line on standard output. */
  firstLine(): Promise<string>;
  /** What it has written on standard error so far. */
  noted(): string;
}

/** Starts the real program; it is killed after the test if it still runs. */
export function startCli(args: string[], env: Record<string, string> = {}): CliProcess {
  const child = spawn(process.execPath, [builtCli, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, CI: '1', NO_COLOR: '1', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'close') as Promise<[number | null]>;
  const first = Promise.withResolvers<string>();
  let seen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    const end = seen.indexOf('\n');
    if (end >= 0) first.resolve(seen.slice(0, end));
  });
  let noted = '';
  child.stderr.on('data', (chunk: Buffer) => (noted += chunk.toString()));
  child.stdout.on('end', () => first.reject(new Error(`it ended without a line: ${seen}`)));
  first.promise.catch(() => undefined);
  const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]).then(([[code], out, err]) => ({
    code,
    out,
    err,
  }));
  ended.catch(() => undefined);
  return { child, ended, firstLine: () => first.promise, noted: () => noted };
}

/** Runs the real program, in a process of its own, to its end. */
export function runProcess(args: string[], input = ''): Promise<Ended> {
  const { child, ended } = startCli(args);
  child.stdin.end(input);
  return ended;
}

/** The same program in this process, with a terminal of the test's own: much quicker. */
export async function runCli(args: string[], input = '', terminal: Partial<Terminal> = {}): Promise<Ended> {
  let out = '';
  let err = '';
  const own = testTerminal({
    env: { CI: '1' },
    readInput: () => Promise.resolve(input),
    print: (data) => void (out += escapeControls(data)),
    note: (message) => void (err += escapeControls(message)),
    ...terminal,
  });
  const code = await run(args, own);
  return { code, out, err };
}

/** A terminal without a user, which drops what is printed. */
export function testTerminal(own: Partial<Terminal> = {}): Terminal {
  return {
    env: {},
    readInput: () => Promise.resolve(''),
    print: () => undefined,
    note: () => undefined,
    printsToUser: false,
    interactive: false,
    ended: new AbortController().signal,
    ask: () => Promise.reject(new Error('The user cannot be asked.')),
    ...own,
  };
}

/** A data directory of the test's own, with modules in it. */
export function dataDirWith(modules: Record<string, string> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-cli-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  mkdirSync(join(dir, 'modules'));
  for (const [name, source] of Object.entries(modules)) writeFileSync(join(dir, 'modules', name), source);
  return dir;
}

/** A module with a method for every way a call can go. */
export const sampleModule = `export default { methods: {
  add: {
    description: 'Adds.\\nSecond line.',
    inputSchema: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['a', 'b'] },
    handler: ({ a, b }) => a + b,
  },
  fail: { description: 'Fails.', handler() { throw new Error('no luck \\u001b[31mtoday'); } },
  spin: { description: 'Never ends.', handler() { for (;;); } },
  reboot: { description: 'Reboots.', danger: 'It restarts the board.', handler: () => 'rebooted' },
} };`;
