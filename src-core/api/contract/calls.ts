import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { CallRecord, ToolExecutionResult } from '../types.ts';
import { callId, text, timeoutMs } from './fields.ts';

const origin = z.enum(['executor', 'parser', 'cli']);

export const calls = {
  /** Ends with a result for every call that could be tried, failed ones included. Abort the request to cancel. */
  execute: oc
    .input(
      z.strictObject({
        callId,
        toolName: z.string().max(1024),
        command: z.string().max(1024).optional(),
        argsJson: text,
        timeoutMs: timeoutMs.optional(),
        origin,
        confirmed: z.boolean().optional(),
      }),
    )
    .output(type<ToolExecutionResult>()),
  cancel: oc.input(z.strictObject({ callId })).output(type<{ cancelled: boolean }>()),
  running: oc.output(type<CallRecord[]>()),
  /** Newest first. */
  history: oc
    .input(z.strictObject({ limit: z.int().min(1).max(1000), qualifiedName: z.string().max(1024).optional() }))
    .output(type<CallRecord[]>()),
};
