import { ToolError } from '../../../base/errors.ts';
import { nearestNames } from '../../../base/nearestNames.ts';

/** Characters of the name that the error repeats. */
const maxNameChars = 120;

/** Why a call of a tool that the device has not listed is not sent. */
export function unknownToolError(device: string, toolName: string, listed: Iterable<string>): ToolError {
  const candidates = nearestNames({ query: toolName, items: [...listed], keysOf: (name) => [name] });
  const [nearest] = candidates;
  const what = `${device} does not list a tool "${toolName.slice(0, maxNameChars)}".`;
  const message = nearest === undefined ? what : `${what} Did you mean "${nearest}"?`;
  return new ToolError('unknown-tool', message, { candidates });
}
