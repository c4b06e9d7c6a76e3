import type * as z from 'zod';

import { cloneJson } from '../../base/cloneJson.ts';
import { describeJsonFault } from '../../base/describeJsonFault.ts';
import { parseExactly, roundExact } from '../../base/exactNumber.ts';
import type { JsonValue } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import { chatFileFormat, chatFileSchema, chatFileVersion } from './chatFile.ts';
import type { NewEntry } from './chatBook.ts';
import type { ChatCall, ChatOptions } from '../../contract/chat.ts';

/** Characters of a file. */
export const maxFileLength = 20_000_000;

/** A chat read from a file. */
export interface ReadChatFile {
  title: string;
  options: Omit<ChatOptions, 'mode'>;
  entries: NewEntry[];
}

/**
 * Reads a chat from a file's text. A file may come from anywhere: it never decides which calls run unasked, so that `mode`,
 * tool toggles and `requireConfirmation` are left to the settings.
 * @throws RequestError that names the field if the text is not such a file.
 */
export function readChatFile(text: string): ReadChatFile {
  const { title, options, entries } = read(text);
  const ids = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (ids.has(id)) throw invalidFile(`entries.${index}.id`, `"${id}" is the id of an earlier entry, too`);
    ids.add(id);
  }
  const { mode, ...kept } = options;
  const { maxIterations, maxRepeats, timeout, parallelExecution } = options.config;
  return {
    title,
    options: {
      ...kept,
      config: {
        ...(maxIterations !== undefined && { maxIterations }),
        ...(maxRepeats !== undefined && { maxRepeats }),
        ...(timeout !== undefined && { timeout }),
        ...(parallelExecution !== undefined && { parallelExecution }),
      },
    },
    // The schema holds every field to its type and bounds; codes of errors and kinds of blocks are the texts that they are.
    entries: entries as NewEntry[],
  };
}

type ChatFile = z.infer<typeof chatFileSchema>;

/** The arguments of calls are texts in a chat, every number as the file has it. */
function withArguments(
  entry: ChatFile['entries'][number],
  same: ChatFile['entries'][number],
  at: number,
): { id: string } {
  if (entry.role !== 'assistant' || same.role !== 'assistant') return entry;
  const calls = entry.calls.map((call, index) => {
    const textOf = (name: 'askedArgs' | 'args'): string => {
      const cloned = cloneJson(same.calls[index]?.[name]);
      if ('value' in cloned) return JSON.stringify(cloned.value);
      throw invalidFile(`entries.${at}.calls.${index}.${name}`, `it cannot be used: ${cloned.problem}`);
    };
    const texts: Partial<typeof call> & Pick<ChatCall, 'askedArgsJson' | 'argsJson'> = {
      ...call,
      askedArgsJson: textOf('askedArgs'),
      argsJson: textOf('args'),
    };
    delete texts.askedArgs;
    delete texts.args;
    return texts;
  });
  const kept = { ...entry, calls };
  return kept;
}

function read(text: string): Omit<ChatFile, 'entries'> & { entries: { id: string }[] } {
  let exact: JsonValue;
  let value: JsonValue;
  try {
    exact = parseExactly(text);
    value = roundExact(exact);
  } catch (error) {
    throw invalidFile('text', `the file is not valid JSON: ${describeJsonFault(text, error)}`);
  }
  const { format, version } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (format !== chatFileFormat)
    throw invalidFile('format', `must be "${chatFileFormat}"; this is not an exported chat`);
  if (version !== chatFileVersion) {
    const newer = typeof version === 'number' && version > chatFileVersion;
    throw invalidFile(
      'version',
      newer ? `${version} is of a newer Toolwire. Update this one` : `must be ${chatFileVersion}`,
    );
  }
  const { success, data, error } = chatFileSchema.safeParse(value);
  if (success) {
    // Of the same form.
    const same = (exact as unknown as ChatFile).entries;
    return { ...data, entries: data.entries.map((entry, at) => withArguments(entry, same[at] ?? entry, at)) };
  }
  const [issue] = error.issues;
  throw invalidFile(issue?.path.join('.') || 'text', issue?.message ?? 'the file does not have the form of a chat');
}

/** The error of a file of more than `maxFileLength` characters. */
export function fileTooLong(): RequestError {
  return invalidFile('text', `the file has more than ${maxFileLength.toLocaleString('en')} characters`);
}

/** Why a file is refused; `field` is a path in it, such as `entries.3.calls.0.result`, or `text`. */
export function invalidFile(field: string, message: string): RequestError {
  return new RequestError(`The chat cannot be imported. ${field}: ${message}.`, { field });
}
