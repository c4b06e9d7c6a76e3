import type { ToolExecutionResult } from '../../registry/calls.ts';

/** Characters of a result's text that a chat keeps and a model is told. */
const maxResultLength = 128 * 1024;
/** Characters of JSON of an answer's blocks that a chat keeps. */
const maxContentLength = 1024 * 1024;

/** A result as a chat keeps it. What is too long is cut, and says so: the model is told the same. */
export function boundResult({ content, ...result }: ToolExecutionResult): ToolExecutionResult {
  const keepContent = content !== undefined && JSON.stringify(content).length <= maxContentLength;
  return {
    ...result,
    result: boundText(result.result),
    ...(result.error !== undefined && { error: { ...result.error, message: boundText(result.error.message) } }),
    ...(keepContent && { content }),
  };
}

function boundText(text: string): string {
  if (text.length <= maxResultLength) return text;
  const rest = text.length - maxResultLength;
  return `${text.slice(0, maxResultLength).toWellFormed()}… (${rest.toLocaleString('en')} more characters were cut off)`;
}
