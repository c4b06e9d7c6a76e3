import type { ArgumentIssue } from './errors.ts';
import { ToolError } from './errors.ts';

/** The error of arguments that a method does not take: every issue in words, and as data. */
export function invalidArguments(qualifiedName: string, issues: ArgumentIssue[]): ToolError {
  const words = issues.map(({ parameter, message }) => (parameter === '' ? message : `${parameter}: ${message}`));
  return new ToolError('invalid-arguments', `The arguments do not fit ${qualifiedName}. ${words.join(' ')}`, {
    issues,
  });
}
