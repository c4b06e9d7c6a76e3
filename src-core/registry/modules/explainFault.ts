import { basename, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describeThrown } from '../../base/describeThrown.ts';
import { RefusedFileError, readTextFile } from '../../base/readTextFile.ts';
import { maxSourceBytes } from './loaderHooks.ts';
import { ModuleFault } from './moduleFault.ts';
import { loadTypeScript, SyntaxFaultError } from './typeScript.ts';
import type { ModuleProblem } from './types.ts';

/** Says what a module that would not load, or a method of it, has wrong: file, line and fix. */
export async function explainFault(error: unknown, where: { file: string; folder: string }): Promise<ModuleProblem> {
  if (error instanceof ModuleFault) {
    const line = lineOf(sourceOf(where.file), error.near);
    return { message: error.message, fix: error.fix, ...(line && { line }) };
  }
  if (error instanceof RefusedFileError) return refusal(error);
  if (error instanceof SyntaxFaultError) return syntaxProblem(error.file, error.fault);
  if (error instanceof SyntaxError) {
    const { findSyntaxFault } = await loadTypeScript();
    const file = fileInStack(error, where.folder)?.file ?? where.file;
    const fault = findSyntaxFault(sourceOf(file));
    if (fault) return syntaxProblem(file, fault);
  }
  if (isMissing(error)) {
    const [, missing = '', importer = where.file] = /'([^']+)'(?: imported from (.+))?/.exec(error.message) ?? [];
    const line = lineOf(sourceOf(importer), basename(missing));
    return {
      message: `imports "${basename(missing)}", which is not there`,
      fix: 'Write the whole name with its ending, as in "./_helper.ts"; install packages beside the modules.',
      file: importer,
      ...(line && { line }),
    };
  }
  const place = fileInStack(error, where.folder);
  return {
    message: `threw while it loaded: ${describeThrown(error).replace(/\.$/, '')}`,
    fix: 'Correct what the file does at its top level.',
    ...place,
  };
}

/**
 * Where in the folder an error was thrown: `location`, `file.ts:12:5`, of the innermost frame, and `trace`, the kind of the error
 * and at most 10 frames, as Node writes them. Frames of Node and of packages are left out. `undefined` if no frame is left.
 */
export function traceOf(error: unknown, folder: string): { location: string; trace: string } | undefined {
  try {
    const frames = stackOf(error)
      .split('\n')
      .flatMap((line) => frameIn(line, folder));
    const [innermost] = frames;
    if (innermost === undefined) return undefined;
    const kind = error instanceof Error ? String(error.name).slice(0, 100) : '';
    return { location: innermost.where, trace: [kind, ...frames.slice(0, 10).map(({ text }) => text)].join('\n') };
  } catch {
    return undefined; // A getter or a proxy of the thrown value threw in its turn.
  }
}

function frameIn(line: string, folder: string): { where: string; text: string }[] {
  const place = placeIn(line, folder);
  if (place === undefined) return [];
  const where = `${basename(place.file)}:${place.line}:${place.column}`;
  const name = /^\s*at (.{1,200}?) \(/.exec(line)?.[1];
  return [{ where, text: `    at ${name === undefined ? where : `${name} (${where})`}` }];
}

function refusal({ path, reason, isTooLarge }: RefusedFileError): ModuleProblem {
  const fix = isTooLarge
    ? 'Split the file, or move its data into files that a handler reads.'
    : 'Replace it with a file of source text.';
  return { message: reason, fix, file: path };
}

/** The text of a source file; empty if the file is one that is not read. */
function sourceOf(file: string): string {
  try {
    return readTextFile(file, maxSourceBytes);
  } catch (error) {
    if (error instanceof RefusedFileError) return '';
    throw error;
  }
}

function syntaxProblem(file: string, fault: { message: string; line: number; column: number }): ModuleProblem {
  return { ...fault, file, message: `has a syntax error: ${fault.message}`, fix: 'Correct the line.' };
}

/** A place in a file of the folder, absolute; line and column from 1. */
interface Place {
  file: string;
  line: number;
  column: number;
}

function stackOf(error: unknown): string {
  return error instanceof Error && typeof error.stack === 'string' ? error.stack.slice(0, 20_000) : '';
}

function fileInStack(error: unknown, folder: string): Place | undefined {
  return placeIn(stackOf(error), folder);
}

/** The first place in the folder that the text names. */
function placeIn(text: string, folder: string): Place | undefined {
  for (const word of text.split(/[\s()]/)) {
    const [, place = '', line, column] = /^(.+):(\d+):(\d+)$/.exec(word) ?? [];
    const file = place.startsWith('file:') ? fileURLToPath(place) : place;
    if (file.startsWith(folder + sep)) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}

function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/** The line of a word: where it is written as a key or a method, else where it comes first. */
function lineOf(source: string, near: string): number | undefined {
  const first = near ? source.indexOf(near) : -1;
  let at = first;
  while (at >= 0 && !isKeyAt(source, at, near.length)) at = source.indexOf(near, at + 1);
  const index = at < 0 ? first : at;
  return index < 0 ? undefined : source.slice(0, index).split('\n').length;
}

function isKeyAt(source: string, at: number, length: number): boolean {
  return !/[\w$.]/.test(source[at - 1] ?? '') && /^['"]?\s*[:(]/.test(source.slice(at + length, at + length + 20));
}
