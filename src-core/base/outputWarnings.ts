import type { ToolExecutionResult } from './calls.ts';

/** One sentence for each mismatch between a result and the `outputSchema` of its method, or the reason why it was not checked. */
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
