import { homedir } from 'node:os';
import { basename, resolve, sep } from 'node:path';

import type { JsonObject } from '../../../base/json.ts';
import type { ServerVariable } from '../../../contract/serverConsent.ts';
import type { ServerImportPreview } from '../../../contract/servers.ts';
import { environmentOf } from '../../../mcp/findProgram.ts';
import type { ServerEndpoint } from '../../../mcp/types.ts';
import { isPlainDefault, isSecretName } from '../../../base/looksSecret.ts';
import { mapTexts } from './mapTexts.ts';
import type { ConfiguredServer, VariableSyntax } from './types.ts';
import { readVariables, writePart, type TextPart } from './variables.ts';

type Stdio = Extract<ServerEndpoint, { type: 'stdio' }>;
/** An endpoint whose program, if it is one, starts in a definite folder. */
export type PlacedEndpoint = Exclude<ServerEndpoint, Stdio> | (Stdio & { cwd: string });

/** An endpoint whose variables are replaced. */
export interface ExpandedEndpoint {
  /** What is approved and started. A program starts in the home folder by default; a relative `cwd` is relative to it. */
  endpoint: PlacedEndpoint;
  /** What can be shown of it: variables with a secret value are as they are written. */
  shown: PlacedEndpoint;
  /** What the variables were replaced by, but for places of this computer. It is masked in what is recorded. */
  values: string[];
  /** What each variable was replaced by, by its text in the configuration, such as `${env:API_KEY}`. */
  replaced: ReadonlyMap<string, string>;
  /** The variables, in the order in which the texts refer to them. Those without a value stay in the texts. */
  variables: ServerVariable[];
}

/** A variable or header with an empty text: its value is asked for. */
type Unset = { kind: 'input'; id: string; isUnset: true };
type Variable = Exclude<TextPart, { kind: 'literal' }> | Unset;
type Found = Pick<ServerVariable, 'from'> & { value?: string };

/** Identifies a variable whose value the user enters. Undefined for one that this computer provides, such as `${userHome}`. */
function keyOf(part: Variable): string | undefined {
  if (part.kind === 'env') return `env:${part.name}`;
  if (part.kind === 'input') return `input:${part.id}`;
  return part.name.startsWith('workspaceFolder') ? 'workspaceFolder' : undefined;
}

/**
 * Replaces the variables in the texts of an endpoint by the values that the user gave, by the environment of this process and by places
 * of this computer. `inputs` has their definitions, as VS Code writes them.
 */
export function expandEndpoint(
  endpoint: ServerEndpoint,
  options: { variables: VariableSyntax; inputs?: readonly JsonObject[]; given: ReadonlyMap<string, string> },
): ExpandedEndpoint {
  const { variables: syntax, inputs = [], given } = options;
  const values = new Set<string>();
  const variables = new Map<string, ServerVariable>();
  const replaced = new Map<string, string>();

  function describe(part: Variable, key: string, { from, value }: Found): ServerVariable {
    const input = part.kind === 'input' ? inputs.find(({ id }) => id === part.id) : undefined;
    const isSecret =
      part.kind !== 'place' &&
      (input?.['password'] === true || isSecretName(part.kind === 'input' ? part.id : part.name));
    const { description, options: choices, default: otherwise } = input ?? {};
    const shown = value ?? (typeof otherwise === 'string' ? otherwise : undefined);
    return {
      key,
      written: writtenOf(part, syntax),
      kind: part.kind === 'place' ? 'folder' : part.kind,
      ...(typeof description === 'string' && { description }),
      ...(Array.isArray(choices) && { options: choices.filter((choice) => typeof choice === 'string') }),
      secret: isSecret,
      from,
      ...(shown !== undefined && !isSecret && { value: shown }),
    };
  }

  /** The value of a variable, and what is shown of it. */
  function replace(part: TextPart | Unset): { value: string; shown: string } {
    if (part.kind === 'literal') return { value: part.text, shown: part.text };
    const written = 'isUnset' in part ? '' : (writePart(part, syntax) ?? '');
    const key = keyOf(part);
    if (key === undefined) {
      const place = part.kind === 'place' && part.name === 'userHome' ? homedir() : sep;
      replaced.set(written, place);
      return both(place);
    }
    const found = valueOf(part, given.get(key));
    const known = variables.get(key);
    const variable = known?.from === 'missing' || known === undefined ? describe(part, key, found) : known;
    variables.set(key, variable);
    const { value } = found;
    if (value === undefined) return both(written);
    replaced.set(variable.written, value);
    if (isHidden(part, found)) values.add(value);
    return { value, shown: variable.secret && found.from !== 'default' ? written : value };
  }

  const expand = (of: 'value' | 'shown') => (text: string, field: string) => {
    const [, id] = (text === '' && /^(?:env|headers)\.(.+)$/.exec(field)) || [];
    if (id !== undefined) return replace({ kind: 'input', id, isUnset: true })[of];
    return readVariables(text, syntax)
      .map((part) => replace(part)[of])
      .join('');
  };
  return {
    endpoint: inFolder(mapTexts(endpoint, expand('value')), (cwd) => resolve(homedir(), cwd)),
    shown: inFolder(mapTexts(endpoint, expand('shown')), folderOf),
    values: [...values],
    replaced,
    variables: [...variables.values()],
  };
}

/** The variables or headers of a server, and which of them have no value here. */
export function valuesOf({
  config,
  variables,
  inputs = [],
}: ConfiguredServer): ServerImportPreview['servers'][number]['values'] {
  return Object.entries(config.type === 'stdio' ? config.env : config.headers).map(([name, text]) => {
    const endpoint = { type: 'stdio' as const, command: '', args: [], env: { [name]: text } };
    const expanded = expandEndpoint(endpoint, { variables, inputs, given: new Map() });
    const unset = expanded.variables.flatMap((variable) => (variable.from === 'missing' ? [variable.written] : []));
    return { name, missing: unset.length > 0, unset: text === '' ? [] : unset };
  });
}

/** The folder in which a program starts. One that begins with a variable is returned as it is written. */
export function folderOf(cwd = ''): string {
  return cwd.startsWith('${') ? cwd : resolve(homedir(), cwd);
}

function inFolder(endpoint: ServerEndpoint, place: (cwd: string) => string): PlacedEndpoint {
  return endpoint.type === 'stdio' ? { ...endpoint, cwd: place(endpoint.cwd ?? '') } : endpoint;
}

/** Returns the text of a variable without its default. */
function writtenOf(part: Variable, syntax: VariableSyntax): string {
  if ('isUnset' in part) return part.id;
  if (part.kind === 'place') return '${workspaceFolder}';
  return writePart(part.kind === 'env' ? { kind: 'env', name: part.name } : part, syntax) ?? '';
}

const both = (text: string): { value: string; shown: string } => ({ value: text, shown: text });

function valueOf(part: Variable, given: string | undefined): Found {
  if (given !== undefined) {
    const isBase = part.kind === 'place' && part.name === 'workspaceFolderBasename';
    return { from: 'given', value: isBase ? basename(given) : given };
  }
  const own = part.kind === 'env' ? process.env[part.name] : undefined;
  if (own !== undefined) return { from: 'environment', value: own };
  const otherwise = part.kind === 'env' ? part.otherwise : undefined;
  return otherwise === undefined ? { from: 'missing' } : { from: 'default', value: otherwise };
}

/** Folders, harmless defaults and what every program sees (HOME, PATH) are no secrets. */
function isHidden(part: Variable, { from, value = '' }: Found): boolean {
  if (part.kind === 'place') return false;
  if (from === 'default') return !isPlainDefault(value);
  return part.kind === 'input' || from === 'given' || !Object.hasOwn(environmentOf({}), part.name);
}
