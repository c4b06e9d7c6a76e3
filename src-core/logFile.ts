import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { maskSecrets } from './base/maskSecrets.ts';
import { describeThrown } from './base/describeThrown.ts';
import type { ErrorReporter } from './base/reportError.ts';
import { version } from './base/version.ts';

/** Bytes of the log file; one older file of at most the same size is kept beside it. */
const defaultMaxBytes = 1_000_000;
/** Characters of one entry, before and after its secrets are masked. */
const maxRawLength = 32_000;
const maxLength = 8_000;
/** A peer that causes errors in a loop must not keep the disk busy. */
const maxEntriesPerPeriod = 100;
const periodMs = 10_000;

/** Absolute path of the log file in a data directory. */
export function logFilePath(dataDir: string): string {
  return join(dataDir, 'toolwire.log');
}

export interface LogFileOptions {
  path: string;
  /** Bytes of each of the two files; 1,000,000 by default. */
  maxBytes?: number;
  /** Epoch ms; `Date.now` by default. */
  now?: () => number;
}

/**
 * Returns a reporter that appends each error to a log file, readable by its owner only (0600). Secrets are masked and control
 * characters removed. At `maxBytes` the file becomes `<path>.old`, and the former one is deleted. Writes are synchronous, so
 * that the last error before an exit is kept. Never throws. Of the entries that cannot be written, on a full or read-only disk,
 * the first one is kept and written with the next entry that can be; the others are counted.
 */
export function createLogFile({ path, maxBytes = defaultMaxBytes, now = Date.now }: LogFileOptions): ErrorReporter {
  let periodStart = -Infinity;
  let entries = 0;
  let begun = false;

  /** The first entry that could not be written, and how many followed it. */
  let unwritten = '';
  let lost = 0;

  function lineOf(text: string): string {
    return `${new Date(now()).toISOString()} ${clean(text).replaceAll('\n', '\n  ')}\n`;
  }

  function write(entry: string): void {
    const more = lost === 0 ? '' : lineOf(`${lost} more ${lost === 1 ? 'entry' : 'entries'} could not be written.`);
    const text = unwritten + more + entry;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > 0 && size + Buffer.byteLength(text) > maxBytes) renameSync(path, `${path}.old`);
      appendFileSync(path, text, { mode: 0o600 });
      unwritten = '';
      lost = 0;
    } catch {
      // The disk is full or read-only. The store reports that to the user; the log must not add failures of its own.
      if (unwritten === '') unwritten = entry;
      else lost += 1;
    }
  }

  return (error, where) => {
    if (now() - periodStart >= periodMs) {
      const skipped = entries - maxEntriesPerPeriod;
      if (skipped > 0) write(lineOf(`${skipped} more errors were not logged.`));
      periodStart = now();
      entries = 0;
    }
    entries += 1;
    if (entries > maxEntriesPerPeriod) return;
    const system = `Toolwire ${version}, Node ${process.version}, ${process.platform} ${process.arch}`;
    write((begun ? '' : lineOf(system)) + lineOf(`${where}: ${readable(error)}`));
    begun = true;
  };
}

/** The stack of an error, with its causes' messages; the text of anything else that was thrown. */
function readable(error: unknown): string {
  const parts: string[] = [];
  for (let each = error, depth = 0; each !== undefined && depth < 4; depth += 1) {
    const message = describeThrown(each);
    parts.push(each instanceof Error ? [message, ...framesOf(each)].join('\n') : message);
    each = each instanceof Error ? each.cause : undefined;
  }
  return parts.join('\nCaused by: ');
}

/** Removes control characters first, because one inside a name or a value would hide a secret. */
function clean(text: string): string {
  const plain = stripVTControlCharacters(text.slice(0, maxRawLength)).replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '');
  return maskSecrets(plain).slice(0, maxLength);
}

function framesOf({ stack }: Error): string[] {
  return (typeof stack === 'string' ? stack : '').split('\n').filter((line) => /^ {4}at /.test(line));
}
