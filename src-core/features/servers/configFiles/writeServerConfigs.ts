import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { writeExact } from '../../../base/exactJson.ts';
import { localize } from '../../../base/messages/localize.ts';
import { writeToml } from '../../../base/tomlText.ts';
import type { ServerExport } from '../../../contract/servers.ts';
import { freeName } from '../freeName.ts';
import { codexFormat, variableInCodex } from './codexEntries.ts';
import { jsonFormats, type EntryFormat, type ReadEntry } from './entries.ts';
import { mapTexts } from './mapTexts.ts';
import { isPlainDefault, isSecretName } from '../../../base/looksSecret.ts';
import { hideUnknown, readPieces } from './secretParts.ts';
import { registryField, writeRegistry } from './serverJson.ts';
import { sameJson, spell } from './spelling.ts';
import type { ConfigProblem, ConfiguredServer, Spelling, VariableSyntax, WritableFormat } from './types.ts';
import { envNameOf, writePart, type TextPart } from './variables.ts';

/**
 * Writes servers as a configuration file; the text is empty if no server can be written. With `hideSecrets`, the values of variables and
 * headers, and what looks like a secret elsewhere, are replaced by what the format has for them: an input, a variable, or a placeholder
 * such as `<API_KEY>`. Of several servers of one name, all but the first are renamed.
 */
export function writeServerConfigs(
  given: readonly ConfiguredServer[],
  format: WritableFormat,
  { hideSecrets = false }: { hideSecrets?: boolean } = {},
): ServerExport {
  const output = new Output(format, hideSecrets);
  const servers = output.rename(given);
  if (format === 'server-json') return writeDocuments(servers, output);
  const form = format === 'codex' ? codexFormat : jsonFormats.find((each) => each.format === format);
  if (form === undefined) throw new RangeError(`No form for ${format}`);
  const entries = createJsonObject();
  for (const server of servers) entries[server.name] = output.entryOf(server, form);
  const inputs = [...output.inputs.values()];
  const file: JsonObject = { [form.key]: entries, ...(inputs.length > 0 && { inputs }) };
  const text = format === 'codex' ? writeToml(file) : `${writeExact(file, 2)}\n`;
  return { fileName: form.fileName, text, problems: output.problems, missing: output.missing };
}

function writeDocuments(servers: readonly ConfiguredServer[], output: Output): ServerExport {
  const rendered = servers.map((server) => output.render(server));
  const { value, refused } = writeRegistry(rendered);
  for (const name of refused)
    output.problems.push({ level: 'error', server: name, message: localize('configFiles.noPackage', { name }) });
  for (const { name, disabled, config, extra } of rendered) {
    for (const field of Object.keys(extra)) if (field !== registryField) output.reportLost(name, field);
    if (disabled !== undefined) output.reportLost(name, 'disabled');
    else if (config.type === 'stdio' && config.cwd !== undefined) output.reportLost(name, 'cwd');
  }
  const text = refused.length === servers.length ? '' : `${writeExact(value, 2)}\n`;
  return { fileName: 'server.json', text, problems: output.problems, missing: output.missing };
}

/** Which formats have a place for what. */
const withInputs: readonly string[] = ['vscode', 'server-json'];
const syntaxes: Readonly<Record<WritableFormat, VariableSyntax>> = {
  'claude-desktop': 'none',
  'claude-code': 'shell',
  cursor: 'editor',
  cline: 'editor',
  vscode: 'editor',
  codex: 'editor',
  'mcp-pipe': 'none',
  'server-json': 'editor',
};

/** Collects the content of one file besides its entries. */
class Output {
  readonly problems: ConfigProblem[] = [];
  readonly missing: ServerExport['missing'] = [];
  readonly inputs = new Map<string, JsonObject>();
  readonly #format: WritableFormat;
  readonly #hides: boolean;

  constructor(format: WritableFormat, hides: boolean) {
    this.#format = format;
    this.#hides = hides;
  }

  /** Gives each server a unique name. */
  rename(servers: readonly ConfiguredServer[]): ConfiguredServer[] {
    const given = new Set(servers.map(({ name }) => name));
    const used = new Set<string>();
    return servers.map((server) => {
      const name = freeName(server.name, (each) => used.has(each) || (each !== server.name && given.has(each)));
      used.add(name);
      if (name === server.name) return server;
      const message = localize('configFiles.renamed', { name: server.name, other: name });
      this.problems.push({ level: 'warning', server: server.name, message });
      return { ...server, name };
    });
  }

  reportLost(server: string, field: string): void {
    const message = localize('configFiles.fieldLost', { name: server, field, format: this.#format });
    this.problems.push({ level: 'warning', server, message });
  }

  entryOf(server: ConfiguredServer, form: EntryFormat): JsonObject {
    const rendered = this.render(server);
    const entry = spell(rendered, form);
    this.#compare(rendered, entry, form);
    return entry;
  }

  /** The server with its texts in the syntax of the format. */
  render(server: ConfiguredServer): ConfiguredServer {
    const { pieces, hidden, withoutDefault, secrets } = readPieces(server, this.#hides);
    const texts = new Map<string, string>();
    for (const [field, parts] of pieces) {
      const text = parts.map((part) => this.#write(part, { server, field, parts })).join('');
      texts.set(field, text);
      // A host without inputs does not ask for its value.
      const isMissing = parts.some(
        (part) => part.kind === 'input' && (hidden.get(part.id) === field || !withInputs.includes(this.#format)),
      );
      if (isMissing || withoutDefault.has(field))
        this.missing.push({ server: server.name, field, written: this.#inFile(field, text) });
    }
    const inputs = this.#inputsOf(server, hidden, secrets);
    const { [registryField]: document, ...extra } = this.#hides ? this.#shown(server, secrets) : server.extra;
    const rest = this.#format === 'server-json' && document !== undefined ? { [registryField]: document } : {};
    const { spelling, ...others } = server;
    return {
      ...others,
      config: mapTexts(server.config, (_text, field) => texts.get(field) ?? ''),
      variables: syntaxes[this.#format],
      ...(inputs.length > 0 && { inputs }),
      ...(spelling !== undefined && { spelling: this.#hides ? shownSpelling(spelling, secrets) : spelling }),
      extra: Object.assign(createJsonObject(), extra, rest),
    };
  }

  /** The text of a field, as it is in the file. */
  #inFile(field: string, text: string): string {
    if (this.#format === 'server-json') return text.replace(/\$\{input:([^}]+)\}/g, '{$1}');
    return (this.#format === 'codex' && variableInCodex(field, text)) || text;
  }

  /** The unknown fields without possible secrets. The content of a published `server.json` is public. */
  #shown({ name, extra }: ConfiguredServer, secrets: ReadonlySet<string>): JsonObject {
    const { [registryField]: document, ...fields } = extra;
    const shown = hideUnknown(fields, secrets, (field, written) => this.missing.push({ server: name, field, written }));
    return { ...shown, ...(document !== undefined && { [registryField]: document }) };
  }

  /** `isListed`: the value is already reported as missing. */
  #write(
    part: TextPart,
    place: { server: ConfiguredServer; field: string; parts: readonly TextPart[]; isListed?: boolean },
  ): string {
    const { server, field, parts, isListed = false } = place;
    if (part.kind === 'literal') return part.text;
    const format = this.#format;
    // This includes what the host itself would not replace.
    const isHidden = part.kind === 'input' && part.envName !== undefined;
    const same = server.format === format && !isHidden ? writePart(part, server.variables) : undefined;
    if (same !== undefined) return same;
    const fits = format !== 'codex' || fitsCodex(field, parts);
    if (part.kind === 'input' && !withInputs.includes(format)) {
      const own = format === 'codex' && fits ? /^env\.(.+)$/.exec(field)?.[1] : undefined;
      const asEnv = { kind: 'env' as const, name: own ?? envNameOf(part) };
      const others = parts.map((each) => (each === part ? asEnv : each));
      return this.#write(asEnv, { ...place, parts: others, isListed: true });
    }
    const syntax = fits ? syntaxes[format] : 'none';
    const hasDefault = part.kind === 'env' && part.otherwise !== undefined && syntax !== 'shell';
    const isPlace = part.kind === 'place' && (format === 'cline' || format === 'codex' || format === 'server-json');
    if (hasDefault && format !== 'server-json') this.reportLost(server.name, `${field} (\${…:-…})`);
    const written = isPlace ? undefined : writePart(hasDefault ? { kind: 'env', name: part.name } : part, syntax);
    if (written !== undefined) return written;
    if (part.kind === 'env' && part.otherwise !== undefined) return part.otherwise;
    const name = part.kind === 'env' ? part.name : part.kind === 'input' ? envNameOf(part) : part.name;
    if (!isListed) this.reportLost(server.name, `${field} (\${${name}})`);
    return `<${name}>`;
  }

  #inputsOf(
    { inputs: given = [] }: ConfiguredServer,
    hidden: ReadonlyMap<string, string>,
    secrets: ReadonlySet<string>,
  ): JsonObject[] {
    const inputs = this.#hides ? given.map((input) => shownInput(input, secrets)) : given;
    const own = [...hidden].map(([id, field]) => ({
      type: 'promptString',
      id,
      description: field.replace(/^\w+\./, ''),
      password: true,
    }));
    const all = [...inputs, ...own];
    if (this.#format === 'vscode')
      for (const input of all) {
        const id = String(input['id']);
        const other = this.inputs.get(id);
        if (other !== undefined && !sameJson(other, input))
          this.problems.push({ level: 'warning', message: localize('configFiles.inputTwice', { id }) });
        this.inputs.set(id, other ?? input);
      }
    return all;
  }

  /** Names the fields that are not read again as they were. */
  #compare(server: ConfiguredServer, entry: JsonObject, form: EntryFormat): void {
    const again: ReadEntry = form.read(entry);
    const reportLost = (field: string): void => this.reportLost(server.name, field);
    if (again.config.type !== server.config.type) reportLost('type');
    if (again.disabled !== server.disabled) reportLost('disabled');
    if (again.timeoutMs !== server.timeoutMs) reportLost('timeout');
    for (const name of Object.keys(server.extra))
      if (!Object.hasOwn(entry, name) || (form.format === 'codex' && hasNull(server.extra[name]))) reportLost(name);
    if (form.format === 'claude-desktop' && server.config.type !== 'stdio')
      this.problems.push({
        level: 'warning',
        server: server.name,
        message: localize('configFiles.onlyPrograms', { name: server.name }),
      });
  }
}

/** Codex reads a whole value from a variable: in `env` from the variable of the same name, in `Authorization` the part after `Bearer`. */
function fitsCodex(field: string, parts: readonly TextPart[]): boolean {
  const [, kind, name] = /^(env|headers)\.(.+)$/s.exec(field) ?? [];
  const [first, second] = parts;
  const isBearer = name === 'Authorization' && first?.kind === 'literal' && first.text === 'Bearer ';
  const variable = isBearer && parts.length === 2 ? second : parts.length === 1 ? first : undefined;
  if (variable?.kind === 'input') return kind === 'headers' || /^\w+$/.test(name ?? '');
  return variable?.kind === 'env' && /^\w+$/.test(variable.name) && (kind === 'headers' || variable.name === name);
}

/** TOML has no null. */
function hasNull(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(hasNull);
  return value === null || (isJsonObject(value) && Object.values(value).some(hasNull));
}

/** The host asks for the value of an input in any case, so a default that may be a secret is omitted. */
function shownInput({ default: otherwise, id = '', ...rest }: JsonObject, secrets: ReadonlySet<string>): JsonObject {
  const isPlain =
    typeof otherwise === 'string' &&
    isPlainDefault(otherwise) &&
    rest['password'] !== true &&
    !isSecretName(String(id));
  return { id, ...hideUnknown(rest, secrets, () => undefined), ...(isPlain && { default: otherwise }) };
}

/** Leaves out the fields that may hold a secret. They are those that Toolwire does not use, such as the URL of a program. */
function shownSpelling(spelling: Spelling, secrets: ReadonlySet<string>): Spelling {
  const { fields = {}, ...rest } = spelling;
  const shown = createJsonObject();
  for (const [name, value] of Object.entries(fields)) {
    let isHidden = false;
    const texts = [value].flat().filter((each) => typeof each === 'string');
    hideUnknown({ [name]: value }, secrets, () => (isHidden = true));
    const config = { type: 'stdio' as const, command: '', args: texts, env: {} };
    const { hidden } = readPieces({ name: '', variables: 'none', config }, true);
    if (!isHidden && hidden.size === 0) shown[name] = value;
  }
  return { ...rest, ...(Object.keys(shown).length > 0 && { fields: shown }) };
}
