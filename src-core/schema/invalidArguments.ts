import { ToolError, type ArgumentIssue } from '../base/errors.ts';
import type { ReadArguments } from './readArguments.ts';

/** An issue with the parameter that it is about, named once. */
export function issueText({ parameter, message }: ArgumentIssue): string {
  return parameter === '' || message.startsWith(`"${parameter}" `) ? message : `${parameter}: ${message}`;
}

/** The error of arguments that a method does not take, or that could not be checked: every issue in words, and as data. */
export function invalidArguments(
  qualifiedName: string,
  { issues, unchecked }: Pick<ReadArguments, 'issues' | 'unchecked'>,
): ToolError {
  const problems = issues.map(issueText).join(' ');
  if (unchecked) return new ToolError('invalid-arguments', `${qualifiedName} was not called. ${problems}`, { issues });
  const summary = `The arguments do not fit ${qualifiedName}.`;
  return new ToolError('invalid-arguments', `${summary} ${problems}`, { issues });
}
