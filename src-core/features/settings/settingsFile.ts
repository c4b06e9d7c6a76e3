import * as z from 'zod';

import { settingsSchema } from '../../contract/settings.ts';
import type { Settings } from '../../contract/types.ts';
import { describeFieldIssue } from '../../base/describeFieldIssue.ts';
import { describeJsonFault } from '../../base/describeJsonFault.ts';
import { RequestError } from '../../base/requestError.ts';

/** The format's name and version. */
const format = 'toolwire-settings';
const version = 1;
/** Characters of a file; an exported one has a few thousand. */
const maxLength = 262_144;
/** The number of problems of a file that are listed; the others are counted. */
const mostNamed = 5;
/** The name of the file in an error that concerns no field of it. */
const whole = 'the file';

/** The window's own state is excluded: it includes arguments of calls, which may contain secrets. */
const portable = settingsSchema.omit({ ui: true });
const fileSchema = z.strictObject({
  format: z.literal(format, { error: `must be "${format}"` }),
  version: z.literal(version, { error: `must be ${version}; a later one was written by a later Toolwire` }),
  settings: portable.partial(),
});

/** The settings as a file for another machine or user. It contains no secrets: keys are kept apart from settings. */
export function writeSettingsFile(settings: Settings): { fileName: string; text: string } {
  const file = { format, version, settings: portable.strip().parse(settings) };
  return { fileName: `${format}.json`, text: `${JSON.stringify(file, null, 2)}\n` };
}

/**
 * The changes that such a file would make to `current`; reading it changes nothing.
 * @throws {RequestError} If the file is invalid; the message names each wrong field. Nothing of the file is used then.
 */
export function readSettingsFile(text: string, current: Settings): Partial<Settings> {
  if (text.length > maxLength)
    throw new RequestError(`The file has more than ${maxLength} characters. Choose one that Toolwire exported.`, {
      field: whole,
    });
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (cause) {
    const reason = describeJsonFault(text, cause);
    throw new RequestError(`The file is not valid JSON: ${reason}. Choose one that Toolwire exported.`, { cause });
  }
  const read = fileSchema.safeParse(written);
  if (!read.success) {
    const { issues } = read.error;
    const named = issues.slice(0, mostNamed).map((issue) => describeFieldIssue(issue, 'The file'));
    const more = issues.length - named.length;
    if (more > 0) named.push(`It has ${more} more problems.`);
    throw new RequestError(['These are not settings of Toolwire, and nothing was changed.', ...named].join(' '), {
      field: issues[0]?.path.join('.') || whole,
      cause: read.error,
    });
  }
  const given = Object.entries(read.data.settings).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(current[key as keyof Settings]),
  );
  return Object.fromEntries(given);
}
