/** Bytes of an answer; the engine's have some 200. */
const maxBytes = 4_096;

/** The texts among the fields of a JSON answer: none if it is refused, larger than 4 kB or not a JSON object. */
export interface SmallAnswer {
  status: number;
  fields: Readonly<Record<string, string | undefined>>;
}

/**
 * Posts JSON to a server that may be any program, and reads a small answer.
 * @throws {Error} If there is no answer, or if `signal` aborts. The message contains the URL.
 */
export async function postSmall(url: string, body: object, signal: AbortSignal): Promise<SmallAnswer> {
  try {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal });
    const text = await readSmall(response);
    return { status: response.status, fields: response.ok && text !== undefined ? textsOf(text) : {} };
  } catch (cause) {
    throw new Error(`No answer from ${url}`, { cause });
  }
}

async function readSmall({ body }: Response): Promise<string | undefined> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function textsOf(json: string): SmallAnswer['fields'] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return {}; // Whatever it is, it is not the engine's answer.
  }
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
