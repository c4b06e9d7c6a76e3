import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify } from 'jsonc-parser';

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { readJsonc } from '../../base/jsoncText.ts';
import { localize } from '../../base/messages/localize.ts';
import { replaceFile } from '../../base/replaceFile.ts';
import { RequestError } from '../../base/requestError.ts';
import { readToml } from '../../base/tomlText.ts';
import type { HostProgram } from '../../contract/hosts.ts';
import { connectTexts, type ConnectFacts, type User } from './connectTexts.ts';

/**
 * Adds Toolwire to the configuration file of a program that starts `toolwire mcp`. All else stays, comments included.
 * @returns The file.
 * @throws {RequestError} If the program's file is not written by us, is not valid, or has another table that we would have to replace.
 */
export function writeConfig(program: HostProgram, facts: ConnectFacts, user?: User): string {
  const shown = connectTexts(facts, user).find((text) => text.program === program && text.writable !== undefined);
  if (shown?.writable === undefined)
    throw new RequestError(localize('hosts.notWritable', { program }), { field: 'program' });
  const { writable: file, language, text } = shown;
  const before = existsSync(file) ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : '';
  const after = language === 'toml' ? addTable(before, text, file) : addEntry(before, text, file);
  if (after === before) return file;
  mkdirSync(dirname(file), { recursive: true });
  // A symbolic link stays one.
  replaceFile(existsSync(file) ? realpathSync(file) : file, after);
  return file;
}

/** A JSON file with the only entry of `own`, such as `{"mcpServers":{"toolwire":{}}}`. */
function addEntry(before: string, own: string, file: string): string {
  if (before.trim() === '') return own;
  const { value: found } = readJsonc(before);
  const [[key, entries]] = Object.entries(JSON.parse(own) as JsonObject) as [[string, JsonObject]];
  if (!isJsonObject(found))
    throw new RequestError(localize('hosts.badConfig', { file, language: 'JSON' }), { field: 'program' });
  const { [key]: there = {} } = found;
  if (!isJsonObject(there)) throw new RequestError(localize('hosts.notObject', { file, key }), { field: 'program' });
  const indent = /^([ \t]+)\S/m.exec(before)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: before.includes('\r\n') ? '\r\n' : '\n',
  };
  // After the last entry, the line of that entry would be formatted, and a comment at its end would move.
  const options = { formattingOptions, getInsertionIndex: () => 0 };
  const [path, entry] = [[key, 'toolwire'], entries['toolwire'] as JsonObject];
  const old = there['toolwire'];
  // An entry with a URL has nothing that a command can use.
  if (!isJsonObject(old) || 'url' in old) return applyEdits(before, modify(before, path, entry, options));
  return changesOf(old, entry).reduce(
    (text, { keys, value }) => applyEdits(text, modify(text, [...path, ...keys], value, options)),
    before,
  );
}

/** What `entry` sets in `old`. Objects, such as variables, keep their other members. */
function changesOf(old: JsonObject, entry: JsonObject): { keys: string[]; value: JsonValue }[] {
  return Object.entries(entry).flatMap(([name, value]) => {
    const there = old[name];
    if (isJsonObject(there) && isJsonObject(value))
      return changesOf(there, value).map((change) => ({ ...change, keys: [name, ...change.keys] }));
    return isDeepStrictEqual(there, value) ? [] : [{ keys: [name], value }];
  });
}

/** A TOML file with the table `own` at its end. No library edits TOML and keeps its comments, so another table of that name stays. */
function addTable(before: string, own: string, file: string): string {
  const { value: found } = readToml(before);
  if (!isJsonObject(found))
    throw new RequestError(localize('hosts.badConfig', { file, language: 'TOML' }), { field: 'program' });
  const { mcp_servers: there = {} } = found;
  if (!isJsonObject(there))
    throw new RequestError(localize('hosts.notTable', { file, key: 'mcp_servers' }), { field: 'program' });
  const entry = there['toolwire'];
  if (entry !== undefined && isDeepStrictEqual(entry, toolwireIn(readToml(own).value as JsonObject))) return before;
  if (entry !== undefined) throw new RequestError(localize('hosts.otherTable', { file }), { field: 'program' });
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const ended = before === '' || before.endsWith('\n') ? before : before + eol;
  const after = before.trim() === '' ? own : ended + eol + own.replaceAll('\n', eol);
  // A table that was written in one line cannot be extended.
  if (readToml(after).value === undefined)
    throw new RequestError(localize('hosts.inlineTable', { file }), { field: 'program' });
  return after;
}

function toolwireIn({ mcp_servers: servers }: JsonObject): JsonObject[string] | undefined {
  return isJsonObject(servers) ? servers['toolwire'] : undefined;
}
