import * as z from 'zod';

import { isDialectEvent } from '../../realtime/events/knownEvents.ts';
import type { RealtimeDialectDifferences } from '../../base/realtimeTypes.ts';
import { describeFieldIssue } from '../../base/describeFieldIssue.ts';
import { RequestError } from '../../base/requestError.ts';

/** Set by the WebSocket itself. */
const ownHeaders = /^(host|connection|upgrade|content-length|transfer-encoding|sec-websocket-.*)$/i;
/** The rates that Opus has. */
const rate = z.literal([8_000, 12_000, 16_000, 24_000, 48_000]);

const header = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/, 'must be the name of a header')
  .refine((name) => !ownHeaders.test(name), 'must be a header that the WebSocket does not set itself');
const serverName = z.string().regex(/^[\w.-]{1,100}$/, 'must be a name of letters, digits, "_", "-" and "."');
const dialectName = z
  .string()
  .refine(isDialectEvent, 'must be an event of the dialect, such as "response.cancel" or "response.audio.delta"');

const schema = z.strictObject({
  headers: z
    .record(
      header,
      z
        .string()
        .regex(/^[\t\x20-\x7e]{0,4096}$/, 'must be at most 4096 printable ASCII characters, or null')
        .nullable(),
    )
    .optional(),
  omit: z
    .array(z.string().regex(/^\w+(\.\w+){0,7}$/, 'must be the path of a field of the session, such as "audio.input"'))
    .max(50)
    .optional(),
  tools: z.enum(['flat', 'nested']).optional(),
  inputSampleRate: rate.optional(),
  outputSampleRate: rate.optional(),
  events: z
    .record(dialectName, serverName)
    .refine((events) => new Set(Object.values(events)).size === Object.keys(events).length, {
      error: 'must have a server name once only',
    })
    .optional(),
});

/**
 * Reads what a server differs in from its dialect.
 * @throws RequestError that names the first wrong field, below `differences`.
 */
export function readDifferences(value: unknown): RealtimeDialectDifferences | undefined {
  if (value === undefined) return undefined;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = ['differences', ...(issue?.path ?? [])];
  const message = issue === undefined ? '' : describeFieldIssue({ ...issue, path }, '"differences"');
  throw new RequestError(message, { field: path.join('.'), cause: read.error });
}
