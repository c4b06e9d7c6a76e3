import type * as z from 'zod';

import { RequestError } from '../tools/requestError.ts';
import { chatFileFormat, chatFileSchema, chatFileVersion } from './chatFile.ts';
import type { NewEntry } from './chatBook.ts';
import type { ChatOptions } from './session.ts';

/** A chat read from a file. */
export interface ImportedChat {
  title: string;
  options: ChatOptions;
  entries: NewEntry[];
}

/**
 * Reads a chat from a file's text. A file may come from anywhere: it never decides which calls run unasked, so that `mode`,
 * tool toggles and `requireConfirmation` are left to the settings.
 * @throws RequestError that names the field where the text is no such file.
 */
export function importChat(text: string, defaults: Pick<ChatOptions, 'mode'>): ImportedChat {
  const { title, options, entries } = read(text);
  const ids = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (ids.has(id)) throw invalid(`entries.${index}.id`, `"${id}" is the id of an earlier entry, too`);
    ids.add(id);
  }
  const { maxIterations, maxRepeats, timeout, parallelExecution } = options.config;
  return {
    title,
    options: {
      ...options,
      mode: defaults.mode,
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

function read(text: string): z.infer<typeof chatFileSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid('text', `the file is no JSON: ${(error as SyntaxError).message}`);
  }
  const { format, version } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (format !== chatFileFormat) throw invalid('format', `must be "${chatFileFormat}"; this is no exported chat`);
  if (version !== chatFileVersion) {
    const newer = typeof version === 'number' && version > chatFileVersion;
    throw invalid(
      'version',
      newer ? `${version} is of a newer Toolwire. Update this one` : `must be ${chatFileVersion}`,
    );
  }
  const { success, data, error } = chatFileSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw invalid(issue?.path.join('.') || 'text', issue?.message ?? 'the file does not have the form of a chat');
}

function invalid(field: string, message: string): RequestError {
  return new RequestError(`The chat cannot be imported. ${field}: ${message}.`, { field });
}
