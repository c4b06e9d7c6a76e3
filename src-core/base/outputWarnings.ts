import type { ToolExecutionResult } from './calls.ts';

/** How a result does not fit the `outputSchema` of its method, or why that was not checked. A sentence each. */
export function outputWarnings({
  outputIssues = [],
  outputUnchecked,
}: Pick<ToolExecutionResult, 'outputIssues' | 'outputUnchecked'>): string[] {
  const issues = outputIssues.map(({ parameter, message }) => {
    const place = parameter === '' ? '' : `${parameter}: `;
    return `The result does not fit the outputSchema. ${place}${message}`;
  });
  return outputUnchecked === undefined ? issues : [outputUnchecked, ...issues];
}
