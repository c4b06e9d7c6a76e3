import type * as z from 'zod';
import { describeThrown } from '../../base/describeThrown.ts';
import type { JsonValue } from '../../base/json.ts';

/** A client event that the server refuses, with the fields of the vendors' `error` event. */
export class EventError extends Error {
  readonly type: 'invalid_request_error' | 'server_error';
  readonly code: string;
  /** The field at fault: `session.tools[0].name`. */
  readonly param: string | null;

  /** `type` is `invalid_request_error` by default. */
  constructor(error: { type?: EventError['type']; code: string; message: string; param?: string }) {
    super(error.message);
    this.name = 'EventError';
    this.type = error.type ?? 'invalid_request_error';
    this.code = error.code;
    this.param = error.param ?? null;
  }
}

/** What the `error` event of a thrown value says. */
export function toEventError(error: unknown): EventError {
  if (error instanceof EventError) return error;
  return new EventError({ type: 'server_error', code: 'server_error', message: describeThrown(error) });
}

/**
 * Checks a field of an event. Returns what the schema returns.
 * @throws {EventError} If it does not match the schema. A missing field is reported before any other issue.
 */
export function readField<Output>(schema: z.ZodType<Output>, value: JsonValue | undefined, param: string): Output {
  const { error, data } = schema.safeParse(value);
  if (error === undefined) return data;
  const issues = error.issues.map((issue) => readIssue(issue, valueAt(value, issue.path), param));
  throw issues.find(({ code }) => code === 'missing_required_parameter') ?? issues[0] ?? error;
}

function readIssue(issue: z.core.$ZodIssue, value: unknown, root: string): EventError {
  const steps = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  const param = `${root}${steps.join('')}`.replace(/^\./, '');
  if (issue.code === 'unrecognized_keys') {
    const unknown = `${param}.${issue.keys[0]}`;
    return new EventError({ code: 'unknown_parameter', message: `Unknown parameter: '${unknown}'.`, param: unknown });
  }
  if (value === undefined && issue.path.length > 0) {
    const code = 'missing_required_parameter';
    return new EventError({ code, message: `Missing required parameter: '${param}'.`, param });
  }
  return new EventError({ code: codeOf(issue), message: `Invalid '${param}': ${issue.message}.`, param });
}

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return 'invalid_type';
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return 'invalid_value';
  const bound = issue.code === 'too_small' ? 'below_min' : 'above_max';
  const hasLength = issue.origin === 'string' || issue.origin === 'array';
  return hasLength ? `${issue.origin}_${bound}_length` : `decimal_${bound}_value`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
