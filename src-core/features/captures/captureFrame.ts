import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { RequestError } from '../../base/requestError.ts';
import { latestTime } from '../../base/latestTime.ts';
import type { Frame } from '../../contract/frames.ts';
import { frameTypes } from '../../contract/deviceInfo.ts';

/** A frame as a line has it: the header names its owner. */
export type CaptureFrame = Omit<Frame, 'source' | 'connection'>;

/** A frame of the gateway's log: its line has the connection as `role`. */
export type GatewayCaptureFrame = CaptureFrame & Pick<Frame, 'connection'>;

/** Characters of one line; a frame's text is cut long before. */
const maxLineLength = 1_000_000;
const maxTextLength = 512 * 1024;

const fieldsOfLine = [
  'seq',
  'at',
  'direction',
  'kind',
  'type',
  'role',
  'method',
  'summary',
  'rpcId',
  'callId',
  'bytes',
  'durationMs',
  'failed',
  'cut',
  'http',
  'text',
];

/** One line, without its end. The fields have a fixed order, so that the same frame is the same line. */
export function captureFrameLine(frame: Frame): string {
  const named: Partial<Record<string, unknown>> =
    frame.source === 'gateway' ? { ...frame, role: frame.connection } : frame;
  return JSON.stringify(Object.fromEntries(fieldsOfLine.map((name) => [name, named[name]])));
}

/**
 * Reads line `number` of a device's capture. Fields that nobody knows are left out.
 * @throws RequestError that names the line and the field, and `text`.
 */
export function readCaptureFrame(line: string, number: number): CaptureFrame {
  const { field, optional } = lineReader(line, number);
  return {
    ...commonFields({ field, optional }),
    type: field('type', oneOf(frameTypes), `one of ${frameTypes.join(', ')}`),
    ...rpcFields(optional),
  };
}

/** `readCaptureFrame` for a capture of the gateway. */
export function readGatewayCaptureFrame(line: string, number: number): GatewayCaptureFrame {
  const { field, optional } = lineReader(line, number);
  return {
    ...commonFields({ field, optional }),
    type: field('type', textOf(48), 'a string of at most 48 characters'),
    connection: field('role', textOf(128), 'the id of a connection'),
  };
}

/** `readCaptureFrame` for a capture of a realtime conversation. */
export function readConversationFrame(line: string, number: number): CaptureFrame {
  const { field, optional } = lineReader(line, number);
  return {
    ...commonFields({ field, optional }),
    type: field('type', textOf(200), 'a string of at most 200 characters'),
    ...optional('method', textOf(256), 'a string of at most 256 characters'),
  };
}

export function lineReader(line: string, number: number) {
  const wrong = (what: string): RequestError =>
    new RequestError(`Line ${number} of the capture cannot be read: ${what}.`, { field: 'text' });
  if (line.length > maxLineLength) throw wrong(`it is longer than ${maxLineLength} characters`);
  const entry = parsed(line, wrong);
  const field = <T>(name: string, read: (value: JsonValue) => T | undefined, must: string): T => {
    const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
    const found = value === undefined ? undefined : read(value);
    if (found === undefined) throw wrong(`"${name}" must be ${must}`);
    return found;
  };
  const optional = <K extends string, T>(name: K, read: (value: JsonValue) => T | undefined, must: string) =>
    (Object.hasOwn(entry, name) ? { [name]: field(name, read, must) } : {}) as { [key in K]?: T };
  return { field, optional };
}

export function commonFields({ field, optional }: ReturnType<typeof lineReader>) {
  return {
    seq: field('seq', wholeNumber, 'an integer'),
    at: field('at', time, 'a time in whole ms'),
    direction: field('direction', oneOf(directions), '"in" or "out"'),
    kind: field('kind', oneOf(kinds), `one of ${kinds.join(', ')}`),
    summary: field('summary', textOf(1_024), 'a string of at most 1,024 characters'),
    ...optional('callId', textOf(128), 'a string of at most 128 characters'),
    bytes: field('bytes', wholeNumber, 'an integer'),
    ...optional('durationMs', duration, 'a number of ms'),
    ...optional('failed', yesOrNo, 'a boolean'),
    ...optional('cut', yesOrNo, 'a boolean'),
    ...optional('text', textOf(maxTextLength), `a string of at most ${maxTextLength} characters`),
  };
}

/** Its place in JSON-RPC. */
export function rpcFields(optional: ReturnType<typeof lineReader>['optional']) {
  return {
    ...optional('role', oneOf(roles), `one of ${roles.join(', ')}`),
    ...optional('method', textOf(256), 'a string of at most 256 characters'),
    ...optional('rpcId', finite, 'a number'),
  };
}

const directions = ['in', 'out'] as const;
const kinds = ['open', 'text', 'binary', 'close', 'note'] as const;
const roles = ['request', 'answer', 'notification'] as const;

function parsed(line: string, wrong: (what: string) => RequestError): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(line) as JsonValue;
  } catch {
    throw wrong('it is not valid JSON');
  }
  if (isJsonObject(value)) return value;
  throw wrong('it is not a JSON object');
}

function wholeNumber(value: JsonValue): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function time(value: JsonValue): number | undefined {
  return Number(value) <= latestTime ? wholeNumber(value) : undefined;
}

function finite(value: JsonValue): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function duration(value: JsonValue): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function yesOrNo(value: JsonValue): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function oneOf<T extends string>(known: readonly T[]): (value: JsonValue) => T | undefined {
  return (value) => known.find((each) => each === value);
}

export function textOf(maxLength: number): (value: JsonValue) => string | undefined {
  return (value) => (typeof value === 'string' && value.length <= maxLength ? value : undefined);
}
