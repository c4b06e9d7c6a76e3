import { ToolError } from '../../base/errors.ts';
import type { JsonValue } from '../../base/json.ts';
import type { MethodMetadata, MethodParameter } from '../../base/toolTypes.ts';
import { methodParameters } from '../../registry/methodParameters.ts';
import { isKeyCharacter } from './characters.ts';
import { controlFields, isControlField } from './control.ts';
import { formatBlock, formatField } from './formatField.ts';
import { markers } from './markers.ts';
import { serialNumber } from './serial.ts';

/** A call to be written as VCP. */
export interface FormatToolRequestOptions {
  /** `toolId_methodName`, or the tool id if `command` names the method. */
  toolName: string;
  command?: string | undefined;
  /** Strings are written as they are, other values as JSON. */
  args: Readonly<Record<string, JsonValue>>;
  requestId?: string | undefined;
  control?: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes a call as a request block ("Copy as VCP"). Parsing it in dialect `standard` returns the same call: `rawArgs`
 * holds each value byte for byte.
 *
 * @throws {ToolError} `invalid-arguments` if the grammar cannot carry a key: only A–Z, digits, `_` and `-`, and none of
 * the names that VCP itself uses.
 */
export function formatToolRequest({ toolName, command, args, requestId, control }: FormatToolRequestOptions): string {
  if (toolName.trim() === '') throw new ToolError('invalid-name', 'A call needs a tool name.');
  const fields = [formatField('tool_name', toolName)];
  if (command !== undefined && command !== '') fields.push(formatField('command', command));
  if (requestId !== undefined && requestId !== '') fields.push(formatField('request_id', requestId));
  for (const key of controlFields) {
    const value = control !== undefined && Object.hasOwn(control, key) ? control[key] : undefined;
    if (value !== undefined) fields.push(formatField(key, value));
  }
  for (const [key, value] of Object.entries(args)) {
    const problem = keyProblem(key);
    if (problem !== undefined) {
      const message = `VCP cannot pass the parameter “${key}”: ${problem}`;
      throw new ToolError('invalid-arguments', message, {
        issues: [{ path: `/${key}`, parameter: key, message: problem }],
      });
    }
    fields.push(formatField(key, typeof value === 'string' ? value : JSON.stringify(value)));
  }
  return formatBlock(markers.start, fields, markers.end);
}

/** The parameters of a method that VCP cannot carry. If one of them is required, no call of the method can be written. */
export function uncarried({ inputSchema }: Pick<MethodMetadata, 'inputSchema'>): MethodParameter[] {
  return methodParameters(inputSchema).filter(({ name }) => keyProblem(name) !== undefined);
}

/** Whether a call of the method can be written in a protocol: only VCP limits the names of parameters. */
export function isCarriedBy(protocol: string, method: Pick<MethodMetadata, 'inputSchema'>): boolean {
  return protocol !== 'vcp' || uncarried(method).every(({ required }) => !required);
}

/** Why VCP cannot carry a parameter of this name; undefined if it can. */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'a key has at least one character.';
  for (let i = 0; i < key.length; i++)
    if (!isKeyCharacter(key.charCodeAt(i))) return 'a key may contain only letters A–Z, digits, “_” and “-”.';
  if (key === 'tool_name' || key === 'command' || key === 'request_id') return 'the protocol uses this key itself.';
  if (isControlField(key)) return 'hosts read this key as a control field.';
  if (serialNumber(key) !== undefined) return 'the key makes the block a serial block.';
  return undefined;
}
