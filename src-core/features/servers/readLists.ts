import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ServerPrompt, ServerResource, ServerTemplate } from '../../contract/servers.ts';
import { McpError } from '../../mcp/errors.ts';
import { variablesOf } from '../../mcp/uriTemplate.ts';

/** Lists of a server besides its tools, as it sent them. */
export type ServerLists = Record<'resources' | 'templates' | 'prompts', readonly JsonObject[]>;

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

/** The entries of a server's list of resource templates that have a template, with the variables of those that can be read. */
export function readTemplates(items: readonly JsonObject[]): ServerTemplate[] {
  return items.flatMap(({ uriTemplate, name, title, description, mimeType }) =>
    typeof uriTemplate !== 'string'
      ? []
      : [
          {
            uriTemplate,
            name: textOf(title) ?? textOf(name) ?? uriTemplate,
            ...textMember('description', description),
            ...textMember('mimeType', mimeType),
            ...variablesMember(uriTemplate),
          },
        ],
  );
}

function variablesMember(template: string): { variables?: string[] } {
  try {
    return { variables: [...new Set(variablesOf(template))] };
  } catch {
    // The item is shown as one that cannot be used.
    return {};
  }
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

const methodNotFound = -32601;

/** A server may have resources without templates, and not know the request. */
export function noneIfUnknown(error: unknown): JsonObject[] {
  if (error instanceof McpError && error.details.rpcCode === methodNotFound) return [];
  throw error;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textMember<Name extends string>(name: Name, value: JsonValue | undefined): Partial<Record<Name, string>> {
  return typeof value === 'string' ? ({ [name]: value } as Record<Name, string>) : {};
}
