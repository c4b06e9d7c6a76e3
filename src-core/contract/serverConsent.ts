import * as z from 'zod';

/** How a configuration came into the list of servers. */
export const serverOrigin = z.object({
  how: z.enum(['by-hand', 'file', 'text', 'link', 'terminal-add', 'terminal-import']),
  /** The path of the file if it is known, or else its name. Present only if `how` is `file`. */
  file: z.string().optional(),
  /** Epoch ms. Absent if it was imported by a version that kept only the file. */
  at: z.number().optional(),
});
export type ServerOrigin = z.infer<typeof serverOrigin>;

/** A value from elsewhere that the configuration of a server refers to. */
export interface ServerVariable {
  /** `input:api-key`, `env:API_KEY` or `workspaceFolder`. */
  key: string;
  /** As the configuration writes it: `${input:api-key}`. */
  written: string;
  kind: 'input' | 'env' | 'folder';
  /** What the file states about an input. */
  description?: string;
  /** The values to choose from. */
  options?: string[];
  secret: boolean;
  /** Where its value is from: the user, the environment of Toolwire, the configuration, or nowhere. */
  from: 'given' | 'environment' | 'default' | 'missing';
  /** Its value, or what the file proposes. Absent if it is secret. */
  value?: string;
}

export type ServerWarningCode = 'unpinned' | 'shell' | 'administrator' | 'privileged' | 'wide-path' | 'unencrypted';

/** What the user decides on before a server is started. Nothing of it is cut. */
export interface ConsentSheet {
  /** Of all of it: an approval is of exactly this. */
  fingerprint: string;
  /** The program and each argument, quoted if it holds spaces or characters of a shell; empty for a URL. */
  command: { text: string; risk: boolean }[];
  program?: { path: string; realPath: string };
  /** The directories in which the program was not found. */
  searched?: string[];
  cwd?: string;
  envNames: { name: string; from: 'allow-list' | 'secret' }[];
  url?: string;
  headerNames: string[];
  /** Variables that need a value before the server can be started. */
  missing: ServerVariable[];
  warnings: { code: ServerWarningCode; part: string }[];
  /** Whether it was approved before: for an earlier session, or with other facts. */
  approvedBefore: boolean;
  /** What differs from the last approval. */
  changes: { field: ConsentField; before: string; after: string }[];
  /** Variables and headers with another value than in the last approval. */
  values: string[];
  /** Absent if the server was added by a version that did not keep it. Not a part of the fingerprint. */
  added?: ServerOrigin;
  /** The user takes it over or keeps the old configuration before the server can be started. */
  fileChange?: ServerFileChange;
}
/** The entry of a server in the file that it was imported from has changed. */
export interface ServerFileChange {
  path: string;
  /** Of the new entry: SHA-256, in hex. */
  hash: string;
  fields: { field: ConsentField; before: string; after: string }[];
  /** Variables and headers with another value. */
  values: string[];
}
export type ConsentField = 'command' | 'program' | 'cwd' | 'env' | 'url' | 'headers' | 'era';
