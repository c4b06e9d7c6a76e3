import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ServerPrompt, ServerResource } from '../../contract/servers.ts';

/** The entries of a server's list of resources that have a URI. */
export function readResources(items: readonly JsonObject[]): ServerResource[] {
  return items.flatMap(({ uri, name, title, description, mimeType, size }) =>
    typeof uri !== 'string'
      ? []
      : [
          {
            uri,
            name: textOf(title) ?? textOf(name) ?? uri,
            ...textMember('description', description),
            ...textMember('mimeType', mimeType),
            ...(typeof size === 'number' && { size }),
          },
        ],
  );
}

/** The entries of a server's list of prompts that have a name, with the arguments that have one. */
export function readPrompts(items: readonly JsonObject[]): ServerPrompt[] {
  return items.flatMap(({ name, description, arguments: given }) =>
    typeof name !== 'string'
      ? []
      : [
          {
            name,
            ...textMember('description', description),
            arguments: (Array.isArray(given) ? given : []).flatMap((argument) =>
              isJsonObject(argument) && typeof argument['name'] === 'string'
                ? [
                    {
                      name: argument['name'],
                      ...textMember('description', argument['description']),
                      required: argument['required'] === true,
                    },
                  ]
                : [],
            ),
          },
        ],
  );
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textMember<Name extends string>(name: Name, value: JsonValue | undefined): Partial<Record<Name, string>> {
  return typeof value === 'string' ? ({ [name]: value } as Record<Name, string>) : {};
}
