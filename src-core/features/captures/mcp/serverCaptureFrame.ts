import { isJsonObject, type JsonValue } from '../../../base/json.ts';
import type { Frame } from '../../../contract/frames.ts';
import { commonFields, lineReader, rpcFields, textOf, type CaptureFrame } from '../captureFrame.ts';

/** Of method, status and headers as JSON. */
const maxHttpLength = 64 * 1024;

/** `readCaptureFrame` for a capture of an MCP server. */
export function readServerCaptureFrame(line: string, number: number): CaptureFrame {
  const { field, optional } = lineReader(line, number);
  return {
    ...commonFields({ field, optional }),
    type: field('type', textOf(48), 'a string of at most 48 characters'),
    ...rpcFields(optional),
    ...optional('http', httpOf, `a method, a status and headers of at most ${maxHttpLength} characters`),
  };
}

function httpOf(value: JsonValue): Frame['http'] {
  if (!isJsonObject(value) || !isJsonObject(value['headers'])) return undefined;
  const { method, status } = value;
  const headers = Object.entries(value['headers']);
  const isStatus = status === undefined || (typeof status === 'number' && Number.isInteger(status));
  const isText = headers.every(([, text]) => typeof text === 'string');
  if (typeof method !== 'string' || !isStatus || !isText || JSON.stringify(value).length > maxHttpLength)
    return undefined;
  const named = Object.fromEntries(headers) as Record<string, string>;
  return { method, ...(status !== undefined && { status }), headers: named };
}
