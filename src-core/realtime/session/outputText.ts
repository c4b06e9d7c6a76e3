import { realtimeLimits } from '../limits.ts';

/**
 * A tool's output as the wire takes it: text. Of one that is too long the beginning goes, and says so. A failure is JSON with
 * `is_error`, for which the wire has no field (docs/protocols/realtime.md).
 */
export function outputText(output: string, { isError }: { isError: boolean }): string {
  const limit = realtimeLimits.outputCharacters;
  const cut =
    output.length <= limit ? output : `${output.slice(0, limit)}\n[cut: ${limit} of ${output.length} characters]`;
  return isError ? JSON.stringify({ is_error: true, output: cut }) : cut;
}
