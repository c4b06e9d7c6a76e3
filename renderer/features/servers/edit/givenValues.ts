import type { ServerVariable } from '../../../../src-core/contract/types.ts';

/** The values that a form of variables begins with: those that may be shown. */
export function initialValues(variables: readonly ServerVariable[]): Record<string, string> {
  return Object.fromEntries(
    variables.flatMap(({ key, from, value }) =>
      value === undefined || from === 'environment' || from === 'default' ? [] : [[key, value]],
    ),
  );
}

/** What was typed: an empty field of a given value that is not secret forgets it. */
export function typedValues(
  variables: readonly ServerVariable[],
  typed: Readonly<Record<string, string>>,
): { key: string; value?: string }[] {
  return variables.flatMap(({ key, from, value, secret }) => {
    const now = typed[key] ?? '';
    if (now === '') return from === 'given' && !secret ? [{ key }] : [];
    return from === 'given' && now === value ? [] : [{ key, value: now }];
  });
}
