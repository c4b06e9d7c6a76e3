import { UriTemplate } from '@modelcontextprotocol/client';

/** The names of the variables of an RFC 6570 template, in their order. @throws {Error} If the template is malformed. */
export function variablesOf(template: string): string[] {
  return new UriTemplate(template).variableNames;
}

/** The URI of a template: `{id}` with `foo/bar` is `foo%2Fbar`. @throws {Error} If the template is malformed or too long. */
export function expandTemplate(template: string, values: Record<string, string | string[]>): string {
  return new UriTemplate(template).expand(values);
}
