/** The tools of an MCP server as its pane shows them. What a server states about them is untrusted. */
import type { JsonObject } from '../base/json.ts';

/** The parts of a tool's definition that the user accepts. `ui`: its App, and whether models and Apps may use it. */
export const pinnedFields = [
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  'ui',
] as const;

/** A tool whose definition is not the accepted one. It is withheld from every consumer until it is accepted. */
export interface DefinitionChange {
  tool: string;
  /** SHA-256 of the new definition, in hex. */
  hash: string;
  kind: 'added' | 'changed';
  /** An added tool that the server first listed after the user had allowed it this access. */
  since?: 'sampling' | 'roots';
  /**
   * Texts, and schemas as indented JSON; one that is missing did not exist. `tooLong`: one of the two has more than 20,000 characters,
   * and neither is compared.
   */
  fields: { field: (typeof pinnedFields)[number]; before?: string; after?: string; tooLong?: true }[];
  /** Of the new definition. */
  warnings?: ToolWarning[];
}

/**
 * Why the user should read a definition: `part` is the names of its hidden characters, its length, the suspicious passage, or the names
 * of other servers' tools.
 */
export interface ToolWarning {
  code: 'hidden' | 'long' | 'instruction' | 'other-tool';
  part: string;
}

export interface ServerToolView {
  name: string;
  title?: string;
  description: string;
  /** Number of its parameters. */
  parameters: number;
  /** Hints of the server, which may be wrong. */
  annotations?: JsonObject;
  /** Its definition has changed and is not accepted yet. */
  withheld?: true;
  taskSupport?: 'optional' | 'required';
  warnings?: ToolWarning[];
  /** The first type of its parameters that JSON Schema does not have, as JSON. */
  unknownType?: string;
}
