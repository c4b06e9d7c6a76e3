import type { ToolExecutionResult } from '../../src-core/api/types.ts';

/** Where an answer that came back as a success says itself that it failed: the member that says so. */
export interface SoftFailure {
  member: string;
  value: string;
}

/** Longer answers are data, not a status. */
const maxLength = 100_000;

/** Tools often answer `{"success":false,…}` without an error: plain to see, yet no error of the call. */
export function softFailureOf(result: ToolExecutionResult): SoftFailure | undefined {
  if (result.result.length > maxLength || !result.result.trimStart().startsWith('{')) return undefined;
  let answer: unknown;
  try {
    answer = JSON.parse(result.result);
  } catch {
    return undefined; // Text that only looks like JSON says nothing about success.
  }
  if (typeof answer !== 'object' || answer === null) return undefined;
  const members = new Map(Object.entries(answer));
  for (const member of ['success', 'ok']) {
    if (members.get(member) === false) return { member, value: 'false' };
  }
  if (members.get('isError') === true) return { member: 'isError', value: 'true' };
  const error = members.get('error');
  if (typeof error === 'string' && error !== '') return { member: 'error', value: JSON.stringify(error.slice(0, 120)) };
  return undefined;
}
