import { matchesPattern } from '../base/matchesPattern.ts';
import type { MethodMetadata } from '../base/toolTypes.ts';

/**
 * Why a call must be confirmed before it runs: the tool's source marks it as destructive, or the user's list names it (qualified names,
 * `*` for any characters). `undefined` if it need not be confirmed.
 */
export function callDanger(
  { method, qualifiedName }: { method: Pick<MethodMetadata, 'danger'>; qualifiedName: string },
  dangerousTools: readonly string[] = [],
): string | undefined {
  const pattern = dangerousTools.find((each) => matchesPattern(qualifiedName, each));
  if (pattern === undefined) return method.danger;
  const listed = `"${qualifiedName}" is on your list of tools that ask first${pattern === qualifiedName ? '' : `, as "${pattern}"`}.`;
  return method.danger === undefined ? listed : `${method.danger} ${listed}`;
}
