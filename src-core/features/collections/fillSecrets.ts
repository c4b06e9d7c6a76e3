import { ToolError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { mapTexts } from './mapTexts.ts';

/** Total characters of the filled-in secrets: an untrusted file may name one a thousand times. */
const maxLength = 4_000_000;

const marks = /(\\?)\{\{\s*\$secret:([A-Za-z_]\w{0,127})\s*\}\}/g;

/**
 * The arguments of a call by hand with its secrets in place of `{{$secret:NAME}}`, and those secrets by name. `\{{…}}`
 * is sent as `{{…}}`. Undefined if none is named.
 * @throws {ToolError} `invalid-arguments` for a secret without a value: its name would be sent to the tool as the
 * secret.
 */
export async function fillSecrets(
  args: JsonObject,
  secret: (name: string) => Promise<string | undefined>,
): Promise<{ args: JsonObject; secrets: Record<string, string> } | undefined> {
  const names = new Set<string>();
  let isMarked = false;
  mapTexts(args, (text) => {
    for (const [, escape, name = ''] of text.matchAll(marks)) {
      isMarked = true;
      if (escape === '') names.add(name);
    }
    return text;
  });
  if (!isMarked) return undefined;

  const secrets = new Map<string, string>();
  for (const name of names) {
    const value = await secret(name);
    if (value === undefined)
      throw invalid(
        `The secret "${name}" has no value here. Run the call from its collection, where it is set, or write the value itself.`,
      );
    secrets.set(name, value);
  }
  let length = 0;
  const filled = mapTexts(args, (text) =>
    text.replace(marks, (whole, escape: string, name: string) => {
      if (escape !== '') return whole.slice(1);
      const value = secrets.get(name) ?? '';
      length += value.length;
      if (length > maxLength) throw invalid('The secrets make the arguments longer than 4 MB. Name each once.');
      return value;
    }),
  );
  return { args: filled as JsonObject, secrets: Object.fromEntries(secrets) };
}

function invalid(message: string): ToolError {
  return new ToolError('invalid-arguments', message, { issues: [{ path: '', parameter: '', message }] });
}
