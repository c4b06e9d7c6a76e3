import type * as z from 'zod';

import { describeFieldIssue } from '../base/describeFieldIssue.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { ErrorReporter } from '../base/reportError.ts';

/** A list in the settings. Items that cannot be read, such as those of a later version, are kept as they are. */
export interface StoredList<T> {
  readonly items: readonly T[];
  /** The items that cannot be read. To delete one, remove it from here before `stored`. */
  readonly unreadable: JsonValue[];
  /** What to store for these items: without members that are undefined, and with the items that cannot be read. */
  stored(items: readonly T[]): JsonValue[];
}

/** Reads each item on its own. Reports the ones that cannot be read. `where` names the list. */
export function readStoredList<T>(
  value: JsonValue | undefined,
  { item, where, onError }: { item: z.ZodType<T>; where: string; onError: ErrorReporter },
): StoredList<T> {
  const items: T[] = [];
  const unreadable: JsonValue[] = [];
  for (const [at, raw] of (Array.isArray(value) ? value : value === undefined ? [] : [value]).entries()) {
    const { data, error } = item.safeParse(raw);
    if (error === undefined) {
      items.push(data);
      continue;
    }
    unreadable.push(raw);
    const { id, name, label = name } = isJsonObject(raw) ? raw : {};
    const called = [label, id].filter((each) => typeof each === 'string').map((each) => JSON.stringify(each));
    const reasons = error.issues.map((issue) => describeFieldIssue(issue, 'The item')).join(' ');
    onError(new Error(`Item ${[at + 1, ...called].join(' ')} is kept, but cannot be read: ${reasons}`), where);
  }
  return { items, unreadable, stored: (now) => [...(JSON.parse(JSON.stringify(now)) as JsonValue[]), ...unreadable] };
}
