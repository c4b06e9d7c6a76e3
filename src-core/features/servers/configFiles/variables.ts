import type { VariableSyntax } from './types.ts';

/** A piece of a text: as it is, or from elsewhere. */
export type TextPart =
  | { kind: 'literal'; text: string }
  | { kind: 'env'; name: string; otherwise?: string }
  | { kind: 'input'; id: string; envName?: string }
  /** A place of the editor: `workspaceFolder`, `userHome`. */
  | { kind: 'place'; name: string };

const shellVariable = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
const editorVariable =
  /\$\{(?:env:([^}:]+)(?::-([^}]*))?|input:([^}]+)|(workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/))\}/g;

/** The pieces of a text. Joined and written in the same syntax they are the text again. */
export function readVariables(text: string, syntax: VariableSyntax): TextPart[] {
  if (syntax === 'none') return text === '' ? [] : [{ kind: 'literal', text }];
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(syntax === 'shell' ? shellVariable : editorVariable)) {
    if (match.index > end) parts.push({ kind: 'literal', text: text.slice(end, match.index) });
    parts.push(partOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'literal', text: text.slice(end) });
  return parts;
}

function partOf([, env, otherwise, input, place]: RegExpExecArray | RegExpMatchArray): TextPart {
  if (input !== undefined) return { kind: 'input', id: input };
  if (place !== undefined) return { kind: 'place', name: place };
  return { kind: 'env', name: env ?? '', ...(otherwise !== undefined && { otherwise }) };
}

/** Whether the text contains no literal value: only variables, and a scheme such as `Bearer`. */
export function isReference(text: string, syntax: VariableSyntax): boolean {
  const parts = readVariables(text, syntax);
  const isOpen = (part: TextPart): boolean =>
    part.kind !== 'literal' || /^(?:bearer|basic|token)?$/i.test(part.text.trim());
  return text === '' || (parts.some(({ kind }) => kind !== 'literal') && parts.every(isOpen));
}

/** A piece in a syntax. Undefined if the syntax has nothing for it. */
export function writePart(part: TextPart, syntax: VariableSyntax): string | undefined {
  if (part.kind === 'literal') return part.text;
  if (syntax === 'none') return undefined;
  if (syntax === 'shell') return writeShell(part);
  if (part.kind === 'input') return `\${input:${part.id}}`;
  if (part.kind === 'place') return `\${${part.name}}`;
  return `\${env:${part.name}${part.otherwise === undefined ? '' : `:-${part.otherwise}`}}`;
}

function writeShell(part: Exclude<TextPart, { kind: 'literal' }>): string | undefined {
  if (part.kind === 'env') return `\${${part.name}${part.otherwise === undefined ? '' : `:-${part.otherwise}`}}`;
  if (part.kind === 'input') return `\${${envNameOf(part)}}`;
  if (part.name === 'workspaceFolder') return '${CLAUDE_PROJECT_DIR:-.}';
  return part.name === 'userHome' ? '${HOME}' : undefined;
}

/** The environment variable that replaces an input in a format without inputs. */
export function envNameOf({ id, envName }: { id: string; envName?: string }): string {
  return envName ?? toEnvName(id);
}

/** A text as the name of an environment variable: `github-token` as `GITHUB_TOKEN`. */
export function toEnvName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}
