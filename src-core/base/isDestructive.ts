import { isJsonObject, type JsonValue } from './json.ts';

/** Whether the annotations of a tool say that it is destructive. No other annotation makes a tool ask less: they are untrusted. */
export function isDestructive(annotations: JsonValue | undefined): boolean {
  return isJsonObject(annotations) && annotations['destructiveHint'] === true;
}
