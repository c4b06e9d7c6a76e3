import { ToolError } from '../base/errors.ts';
import type { ReadArguments } from './readArguments.ts';

/** The error of arguments that a method does not take, or that could not be checked: every issue in words, and as data. */
export function invalidArguments(
  qualifiedName: string,
  { issues, unchecked }: Pick<ReadArguments, 'issues' | 'unchecked'>,
): ToolError {
  const words = issues.map(({ parameter, message }) => (parameter === '' ? message : `${parameter}: ${message}`));
  const problems = words.join(' ');
  if (unchecked) return new ToolError('invalid-arguments', `${qualifiedName} was not called. ${problems}`, { issues });
  const summary = `The arguments do not fit ${qualifiedName}.`;
  return new ToolError('invalid-arguments', `${summary} ${problems}`, { issues });
}
