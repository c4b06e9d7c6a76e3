import { readTextFile } from '../base/readTextFile.ts';
import { replaceFile } from '../base/replaceFile.ts';
import { RequestError } from '../base/requestError.ts';
import { storageErrorOf } from './storageError.ts';

/** Bytes of a file; some hundred keys have 100 kB. */
const maxFileBytes = 4 * 1024 * 1024;

/** A small file of texts by name that only its owner can read (0600). */
export interface SecretFile {
  read: (name: string) => string | undefined;
  has: (name: string) => boolean;
  /** Undefined removes the name. @throws StorageError if the disk refuses; the file stays as it was. */
  write: (name: string, value: string | undefined) => void;
}

/**
 * Keeps texts in a JSON file. Each write replaces the file whole, so that a crash leaves the old one or the new one.
 * A file that is none of ours is an error that names it and is not overwritten.
 */
export function openSecretFile(path: string): SecretFile {
  const readAll = (): Map<string, string> => {
    let text: string;
    try {
      text = readTextFile(path, maxFileBytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
      throw error;
    }
    return parse(text, path);
  };

  return {
    read: (name) => readAll().get(name),
    has: (name) => readAll().has(name),
    write(name, value) {
      const all = readAll();
      if (value === undefined && !all.has(name)) return;
      if (value === undefined) all.delete(name);
      else all.set(name, value);
      const text = `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`;
      if (Buffer.byteLength(text) > maxFileBytes)
        throw new RequestError(`${path} would be larger than 4 MB. Remove keys that are not used.`);
      try {
        replaceFile(path, text);
      } catch (error) {
        throw storageErrorOf(error, path) ?? error;
      }
    },
  };
}

function parse(text: string, path: string): Map<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would show a piece of the file.
    throw unusable(path);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusable(path);
  const entries = Object.entries(value);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) throw unusable(path);
  return new Map(entries);
}

function unusable(path: string): Error {
  return new Error(`${path} is damaged: it should be a JSON object of texts. Move it away and set the keys again.`);
}
