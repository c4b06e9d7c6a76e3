import type { OutputUnit } from '@cfworker/json-schema';

/** Keywords whose error only says that an inner one follows. */
const wrappers = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', '$ref', 'allOf', 'dependentSchemas', 'if'],
]);
/** Keywords whose error replaces those of its branches. */
const choices = new Set(['anyOf', 'oneOf', 'contains', 'not', 'propertyNames']);

/**
 * The errors worth telling out of the validator's full list: causes instead of wrappers, and for a choice the errors of
 * the one branch that the value was meant for if its type shows which, otherwise the choice as a whole.
 */
export function selectErrors(errors: OutputUnit[], limit: number): OutputUnit[] {
  const selected: OutputUnit[] = [];
  let at = 0;
  while (at < errors.length && selected.length < limit) {
    const error = errors[at] as OutputUnit;
    at += 1;
    if (choices.has(error.keyword)) {
      const start = at;
      while (at < errors.length && isUnder(error, errors[at] as OutputUnit)) at += 1;
      selected.push(...(selectBranch(error, errors.slice(start, at), limit) ?? [error]));
    } else if (!wrappers.has(error.keyword)) {
      selected.push(error);
    }
  }
  return selected.slice(0, limit);
}

function isUnder(choice: OutputUnit, error: OutputUnit): boolean {
  return error.keywordLocation.startsWith(`${choice.keywordLocation}/`);
}

function selectBranch(choice: OutputUnit, inner: OutputUnit[], limit: number): OutputUnit[] | undefined {
  const noneFits = choice.keyword === 'anyOf' || (choice.keyword === 'oneOf' && choice.error.includes('(0 matches)'));
  if (!noneFits) return undefined;
  const branches = new Map<string, OutputUnit[]>();
  for (const error of inner) {
    const branch = error.keywordLocation.slice(choice.keywordLocation.length + 1).split('/', 1)[0] ?? '';
    const known = branches.get(branch);
    if (known === undefined) branches.set(branch, [error]);
    else known.push(error);
  }
  const meant = [...branches.values()].filter((branch) => !branch.some((error) => rulesOut(error, choice)));
  const [only] = meant;
  return meant.length === 1 && only !== undefined ? selectErrors(only, limit) : undefined;
}

/** The branch is not for this value at all: another type or constant, nothing allowed, or another mark on the object. */
function rulesOut(error: OutputUnit, choice: OutputUnit): boolean {
  if (error.instanceLocation === choice.instanceLocation)
    return ['type', 'const', 'enum', 'false'].includes(error.keyword);
  const inner = error.instanceLocation.slice(choice.instanceLocation.length + 1);
  return error.keyword === 'const' && !inner.includes('/');
}
