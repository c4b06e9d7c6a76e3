import { describeThrown } from '../../base/describeThrown.ts';
import { writeWithBigInts } from '../../base/exactNumber.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ToolProgress } from '../types.ts';
import type { ModuleHandler } from './describeModule.ts';
import { traceOf } from './explainFault.ts';
import type { ModuleCallError } from './workerMessages.ts';

/** How a handler ended. */
export type HandlerOutcome = { type: 'done'; json: string } | { type: 'error'; error: ModuleCallError };

/** At most one progress message in this many milliseconds: a tight loop of them must not flood the engine. */
const progressIntervalMs = 50;

/** Runs one handler to its end. Never rejects: whatever it threw or returned becomes an outcome. */
export async function runHandler(options: {
  handler: ModuleHandler | undefined;
  method: string;
  args: JsonObject;
  folder: string;
  maxResultLength: number;
  signal: AbortSignal;
  onProgress(progress: ToolProgress): void;
}): Promise<HandlerOutcome> {
  const { handler, method, args, folder, maxResultLength, signal, onProgress } = options;
  if (!handler) return failed('unknown-method', `The module has no method "${method}".`);
  let value: unknown;
  try {
    value = await handler(args, { signal, onProgress: throttled(onProgress) });
  } catch (error) {
    return { type: 'error', error: { code: 'tool-error', message: describeThrown(error), ...traceOf(error, folder) } };
  }
  return toOutcome(value, maxResultLength);
}

function toOutcome(value: unknown, maxResultLength: number): HandlerOutcome {
  if (typeof value === 'function' || typeof value === 'symbol')
    return failed(
      'bad-result',
      `The handler returned a ${typeof value}. Return text, numbers, lists and plain objects.`,
    );
  try {
    const json = writeWithBigInts(value) ?? 'null';
    if (json.length <= maxResultLength) return { type: 'done', json };
    const limit = maxResultLength.toLocaleString('en');
    return failed(
      'result-too-large',
      `The handler returned ${json.length.toLocaleString('en')} characters; ${limit} are allowed.`,
    );
  } catch (error) {
    return failed('bad-result', `The handler's result is not valid JSON: ${describeThrown(error).split('\n')[0]}`);
  }
}

function failed(code: ModuleCallError['code'], message: string): HandlerOutcome {
  return { type: 'error', error: { code, message } };
}

function throttled(onProgress: (progress: ToolProgress) => void): (progress: ToolProgress) => void {
  let last = -Infinity;
  return ({ progress, total, message }) => {
    const now = performance.now();
    if (now - last < progressIntervalMs) return;
    last = now;
    onProgress({
      progress: Number(progress),
      ...(total !== undefined && { total: Number(total) }),
      ...(message !== undefined && { message: String(message).slice(0, 1000) }),
    });
  };
}
