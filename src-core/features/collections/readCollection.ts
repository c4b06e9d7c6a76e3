import * as z from 'zod';

import { describeFieldIssue } from '../../base/describeFieldIssue.ts';
import { describeJsonFault } from '../../base/describeJsonFault.ts';
import { hasMoreValues } from '../../base/hasMoreValues.ts';
import { scanJson } from '../../base/scanJson.ts';
import { RequestError } from '../../base/requestError.ts';
import type { CollectionFolder } from './collectionFolder.ts';
import { parseExact } from '../../base/exactJson.ts';
import { maxCalls } from '../../contract/collections.ts';
import { environmentSchema, manifestSchema, savedCallSchema } from './format.ts';
import type { Environment, Manifest, SavedCall } from './format.ts';

/** More files than these are not read, and a problem says so. */
const maxEnvironments = 200;
/** Characters of all calls and environments; 2,000 usual calls have 4 M. */
const maxCharacters = 32 * 1024 * 1024;

/** Values of one file; a usual call has 50. Reading so many takes up to 25 ms. */
const maxValues = 20_000;

/** A file that was read: its content, or what is wrong with it. */
export interface ReadFile<T> {
  file: string;
  /** Identifies this text; empty if it could not be read at all. */
  version: string;
  value?: T;
  problem?: string;
}

/** A collection, whole. */
export interface Collection {
  /** The folder's real path. */
  folder: string;
  manifest: Manifest;
  manifestVersion: string;
  /** In the order in which they run. */
  calls: ReadFile<SavedCall>[];
  /** By name of file: `environments/NAME.json`. */
  environments: ReadFile<Environment>[];
  /** What is wrong with the folder itself. */
  problems: string[];
}

/** Reads a collection. @throws {RequestError} If its toolwire.json is missing or invalid. */
export async function readCollection(folder: CollectionFolder): Promise<Collection> {
  const found = await readFile(folder, 'toolwire.json', manifestSchema);
  if (found === undefined)
    throw new RequestError(`${folder.path} has no toolwire.json: it is not a collection.`, { field: 'folder' });
  if (found.value === undefined) throw new RequestError(`${folder.path}: ${found.problem}`, { field: 'folder' });
  const problems: string[] = [];
  const files = within(await folder.callFiles(), maxCalls, problems);
  const environmentFiles = within(await folder.environmentFiles(), maxEnvironments, problems);
  const room = { left: maxCharacters, problems };
  const environments = await readAll(folder, environmentFiles, { schema: environmentSchema, room });
  const calls = await readAll(folder, inOrder(files, found.value.order ?? []), { schema: savedCallSchema, room });
  return { folder: folder.path, manifest: found.value, manifestVersion: found.version, calls, environments, problems };
}

/** The content of a text by its schema, or what is wrong with it: the place and the reason. */
export function readText<T extends z.ZodType>(text: string, schema: T): { value?: z.infer<T>; problem?: string } {
  // An editor may put a byte order mark in front.
  const written = text.replace(/^\ufeff/, '');
  if (hasMoreValues(written, maxValues)) return { problem: `It has more than ${maxValues} values. Put fewer in it.` };
  let json: unknown;
  try {
    json = parseExact(written);
  } catch (error) {
    return { problem: `It is not valid JSON: ${describeJsonFault(written, error)}.` };
  }
  const read = schema.safeParse(json);
  if (read.success) return { value: read.data };
  const { issues } = read.error;
  // A misspelt member is the cause, and the member that is then missing is the effect.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue === undefined) return { problem: 'It is not a file of Toolwire.' };
  if (issue.code !== 'unrecognized_keys') return { problem: describeFieldIssue(issue, 'The file') };
  const [key = ''] = issue.keys;
  const known = issue.path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return { problem: `Line ${lineOf(written, [...issue.path, key])}: ${describeFieldIssue(issue, 'The file', known)}` };
}

/** The line of a field, counted from 1. */
function lineOf(text: string, path: readonly PropertyKey[]): number {
  let node = scanJson(text, { start: 0, limit: text.length, strict: true }).root;
  let at = 0;
  for (const step of path) {
    const member = node?.members?.findLast(({ key }) => key.text === step);
    node = typeof step === 'number' ? node?.items?.[step] : member?.value;
    at = member?.key.start ?? node?.start ?? at;
  }
  return text.slice(0, at).split('\n').length;
}

async function readFile<T extends z.ZodType>(
  folder: CollectionFolder,
  file: string,
  schema: T,
): Promise<(ReadFile<z.infer<T>> & { length: number }) | undefined> {
  try {
    const found = await folder.read(file);
    return found && { file, version: found.version, length: found.text.length, ...readText(found.text, schema) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { file, version: '', length: 0, problem: error.message };
  }
}

/** How much of a collection may still be read, and the list that reports what was not. */
interface Room {
  left: number;
  problems: string[];
}

async function readAll<T extends z.ZodType>(
  folder: CollectionFolder,
  files: string[],
  { schema, room }: { schema: T; room: Room },
): Promise<ReadFile<z.infer<T>>[]> {
  const read: ReadFile<z.infer<T>>[] = [];
  for (const [index, file] of files.entries()) {
    if (room.left <= 0) {
      room.problems.push(`Its files have more than 32 MB together; ${files.length - index} of them are not read.`);
      break;
    }
    const found = await readFile(folder, file, schema);
    if (found === undefined) continue;
    const { length, ...kept } = found;
    room.left -= length;
    read.push(kept);
  }
  return read;
}

function inOrder(files: string[], order: readonly string[]): string[] {
  const there = new Set(files);
  const named = [...new Set(order)].filter((file) => there.has(file));
  const isNamed = new Set(named);
  return [...named, ...files.filter((file) => !isNamed.has(file))];
}

function within(files: string[], most: number, problems: string[]): string[] {
  if (files.length > most) problems.push(`It has ${files.length} files; only the first ${most} are read.`);
  return files.slice(0, most);
}
