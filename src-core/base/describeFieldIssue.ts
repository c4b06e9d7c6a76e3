import type * as z from 'zod';

import { nearestNames } from './nearestNames.ts';

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/**
 * What a check of a file found, as a sentence that names the field by its path: `"settings.theme" must be one of
 * "light", "dark".` `whole` names the file if all of it is wrong, `known` the fields that an unknown one may be meant as.
 */
export function describeFieldIssue(issue: z.core.$ZodIssue, whole: string, known: readonly string[] = []): string {
  const subject = issue.path.length === 0 ? whole : `"${issue.path.join('.')}"`;
  const [key = '', ...others] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const [meant] = nearestNames({ query: key, items: known, keysOf: (name) => [name], limit: 1 });
  const what = `${subject} ${clause(issue)}.`;
  return meant === undefined || others.length > 0 ? what : `${what} Did you mean "${meant}"?`;
}

function clause(issue: z.core.$ZodIssue): string {
  const { code } = issue;
  // The message of a rule of ours already states what is required.
  if (issue.message.startsWith('must ')) return issue.message;
  if (code === 'invalid_value') {
    const values = issue.values.map((value) => JSON.stringify(value)).join(', ');
    return issue.values.length === 1 ? `must be ${values}` : `must be one of ${values}`;
  }
  if (code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (code === 'too_small') return `must be ${measure(issue.origin)}${issue.minimum} or more`;
  if (code === 'too_big') return `must be ${measure(issue.origin)}${issue.maximum} or less`;
  if (code === 'unrecognized_keys')
    return issue.keys.length === 1
      ? `has an unknown field "${issue.keys[0]}"`
      : `has unknown fields: ${issue.keys.join(', ')}`;
  // For an invalid key, the reason is nested.
  if (code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  return issue.message;
}

/** For a value with a length, the limit is on the length. */
function measure(origin: string): string {
  return origin === 'number' || origin === 'int' || origin === 'bigint' ? '' : 'of length ';
}
