import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonValue } from '../../base/json.ts';
import { OneAfterAnother } from '../../base/oneAfterAnother.ts';
import { readTextFile } from '../../base/readTextFile.ts';

/** Bytes of a file. A device has a few calendar entries or codes of remote controls. */
const maxFileBytes = 1024 * 1024;

/** One JSON value that outlives a call, and, where it has a file, the program. Changes wait for one another. */
export interface JsonStore {
  read: () => Promise<JsonValue | undefined>;
  /** Replaces the value by what `change` makes of it; what `change` throws leaves it as it was. */
  update: (change: (value: JsonValue | undefined) => JsonValue) => Promise<void>;
}

export function createJsonStore(file: string | undefined): JsonStore {
  let kept: JsonValue | undefined;
  const updates = new OneAfterAnother();

  async function load(): Promise<JsonValue | undefined> {
    if (file === undefined) return kept;
    let text: string;
    try {
      text = readTextFile(file, maxFileBytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      return JSON.parse(text) as JsonValue;
    } catch (error) {
      throw new Error(`${file} does not hold valid JSON. Mend or remove it.`, { cause: error });
    }
  }

  async function save(value: JsonValue): Promise<void> {
    if (file === undefined) {
      kept = value;
      return;
    }
    const text = `${JSON.stringify(value, undefined, 2)}\n`;
    if (Buffer.byteLength(text) > maxFileBytes) throw new Error(`${file} is full: it holds at most 1 MB.`);
    await mkdir(dirname(file), { recursive: true });
    // In two steps, so that a program that dies in between leaves a whole file.
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  return {
    read: async () => {
      await updates.ended();
      return load();
    },
    update: (change) => updates.run(async () => save(change(await load()))),
  };
}
