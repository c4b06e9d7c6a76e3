import { createInterface } from 'node:readline/promises';
import { addAbortSignal, PassThrough } from 'node:stream';

import { escapeControls } from '../base/hiddenCharacters.ts';
import { exitCodes } from './exitCodes.ts';
import { readWhole } from './readWhole.ts';
import type { Terminal } from './terminal.ts';

/** This process's own streams and signals as a terminal. Escapes what is written to them. To be called once. */
export function processTerminal(): Terminal {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Asked a second time: whatever is being closed takes too long for the user.
      if (ended.signal.aborted) process.exit(exitCodes.interrupted);
      ended.abort();
    });
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader (`| head`) has what it wanted.
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
      throw error;
    });
  }
  return {
    env: process.env,
    readInput: () => readWhole(addAbortSignal(ended.signal, process.stdin), 'Standard input'),
    print: (data) => void process.stdout.write(escapeControls(data)),
    note: (message) => void process.stderr.write(escapeControls(message)),
    replaceLine: (line) => void process.stderr.write(`\r${escapeControls(line)}\u001b[K`),
    printsToUser: process.stdout.isTTY,
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    ended: ended.signal,
    async ask(question, signal, secret = false) {
      const output = secret ? new PassThrough().resume() : process.stderr;
      const reader = createInterface({ input: process.stdin, output, ...(secret && { terminal: true }) });
      // After the reader has turned the terminal's own echo off.
      if (secret) process.stderr.write(escapeControls(question));
      try {
        return await reader.question(secret ? '' : escapeControls(question), {
          signal: signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]),
        });
      } finally {
        reader.close();
        if (secret) process.stderr.write('\n');
      }
    },
  };
}
