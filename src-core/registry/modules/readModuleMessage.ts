import type { FromModuleWorker } from './workerMessages.ts';

/** What each kind of message must carry before anything reads it. */
const shapes: ReadonlyMap<unknown, (message: Record<string, unknown>) => boolean> = new Map([
  ['imported', ({ file }) => isText(file)],
  ['loaded', ({ json }) => isText(json)],
  ['failed', ({ problem }) => isRecord(problem) && isText(problem['message']) && isText(problem['fix'])],
  ['progress', ({ progress }) => isRecord(progress) && typeof progress['progress'] === 'number'],
  ['done', ({ json }) => isText(json)],
  ['error', ({ error }) => isRecord(error) && isText(error['code']) && isText(error['message'])],
]);

/**
 * A message from a module's thread. The module's own code runs there too and can get at the port, so that anything may
 * come: what is no message of `moduleWorker` is `undefined`.
 */
export function readModuleMessage(message: unknown): FromModuleWorker | undefined {
  const isOurs = isRecord(message) && shapes.get(message['type'])?.(message) === true;
  return isOurs ? (message as FromModuleWorker) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
