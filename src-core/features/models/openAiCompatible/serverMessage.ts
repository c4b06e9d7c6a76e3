import { isJsonObject, type JsonValue } from '../../../base/json.ts';
import { cutText } from './cutLongText.ts';

const maxLength = 1_000;

/**
 * The error message in a response body: `error.message` (OpenAI), `error` (Ollama), `message`, `detail` (vLLM), the
 * title of an HTML page, or else the text itself. Empty if there is none.
 */
export function serverMessage(body: string): string {
  const text = body.trim();
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(text)?.[1];
  if (/^<(?:!doctype|html)/i.test(text))
    return title === undefined ? 'an HTML page' : `an HTML page, “${title.trim()}”`;
  return cutText(fromJson(text) ?? text, maxLength);
}

/** The message in the JSON of an error; undefined if there is none. */
export function messageOfError(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageOfError(value[0]);
  if (!isJsonObject(value)) return undefined;
  for (const name of ['error', 'message', 'detail', 'msg']) {
    const found = Object.hasOwn(value, name) ? messageOfError(value[name]) : undefined;
    if (found !== undefined && found !== '') return found;
  }
  return undefined;
}

function fromJson(text: string): string | undefined {
  try {
    return messageOfError(JSON.parse(text) as JsonValue);
  } catch {
    return undefined; // A proxy's page, or plain text.
  }
}
