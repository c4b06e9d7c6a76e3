import type { Client } from '../rpc/client.ts';
import type { ConsentSheet, ServerFileChange, ServerVariable } from '../contract/serverConsent.ts';
import type { ServerRow } from '../contract/servers.ts';
import { visibleLine } from '../base/hiddenCharacters.ts';
import { firstLine } from './firstLine.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

type Named = Pick<ServerRow, 'id' | 'name'>;
interface Asking {
  client: Client;
  terminal: Terminal;
}

/** Keeps the values of `--set NAME=VALUE` as secrets. NAME is that of a variable of the server. @throws {UsageError} */
export async function setValues(client: Client, { id, name }: Named, given: readonly string[]): Promise<void> {
  if (given.length === 0) return;
  const { variables } = await client.servers.detail({ id });
  const values = given.map((text) => {
    const [, wanted, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (wanted === undefined || value === undefined)
      throw new UsageError(`--set must be NAME=VALUE; it is "${firstLine(text.split('=')[0] ?? '')}".`);
    return { key: keyOf(wanted, variables, name), value };
  });
  await client.servers.setValues({ id, values });
}

/** A variable is named by its key, or by what follows the kind in it. */
function keyOf(wanted: string, variables: readonly ServerVariable[], server: string): string {
  const found = variables.filter(({ key }) => key === wanted || nameOf(key) === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.key;
  const shown = (of: readonly ServerVariable[]): string => of.map(({ key }) => firstLine(key)).join(', ') || 'none';
  throw new UsageError(
    found.length > 1
      ? `--set: "${firstLine(wanted)}" can be ${shown(found)}. Use one of these names.`
      : `--set: ${firstLine(server)} has no variable "${firstLine(wanted)}". It has: ${shown(variables)}.`,
  );
}

function nameOf(key: string): string {
  return key.replace(/^(?:input|env):/, '');
}

/**
 * Asks about a changed file and for the values that are missing. Returns what is to be approved then, or undefined if the user has not
 * answered or cannot be asked.
 */
export async function settle(asking: Asking, server: Named): Promise<ConsentSheet | undefined> {
  const { client } = asking;
  const { id } = server;
  let sheet = await client.servers.consent({ id });
  if (sheet.fileChange !== undefined) {
    if (!(await settleFile(asking, server, sheet.fileChange))) return undefined;
    sheet = await client.servers.consent({ id });
  }
  if (sheet.missing.length === 0) return sheet;
  const values = await askForValues(asking, server, sheet.missing);
  if (values === undefined) return undefined;
  await client.servers.setValues({ id, values });
  return client.servers.consent({ id });
}

async function settleFile(
  { client, terminal }: Asking,
  { id, name }: Named,
  change: ServerFileChange,
): Promise<boolean> {
  const { path, hash, fields, values } = change;
  const lines = [
    ...fields.map(({ field, before, after }) => `${field}: ${before} → ${after}`),
    ...values.map((value) => `another value: ${value}`),
  ];
  terminal.note(
    `${firstLine(name)}: ${firstLine(path)} says something else now:\n${lines.map((line) => `  ${visibleLine(line)}\n`).join('')}`,
  );
  if (!terminal.interactive) {
    terminal.note(
      'toolwire: The user cannot be asked here. Run the command in a terminal, or decide in the pane Servers.\n',
    );
    return false;
  }
  const answer = (await terminal.ask('Take it over? [y, k: keep the present configuration, N: neither] ')).trim();
  if (!/^(?:y|yes|k|keep)$/i.test(answer)) return false;
  await client.servers.settleFile({ id, hash, take: /^y/i.test(answer) });
  return true;
}

async function askForValues(
  { terminal }: Asking,
  { name }: Named,
  missing: readonly ServerVariable[],
): Promise<{ key: string; value: string }[] | undefined> {
  if (!terminal.interactive) {
    const flags = missing.map(({ key }) => `--set ${firstLine(nameOf(key))}=VALUE`).join(' ');
    terminal.note(`toolwire: ${firstLine(name)} needs values: ${flags}\n`);
    return undefined;
  }
  terminal.note(`${firstLine(name)} needs values:\n`);
  const values = [];
  for (const variable of missing) {
    const { key, value: proposed = '', secret } = variable;
    const typed = await terminal.ask(`  ${questionOf(variable)}: `, undefined, secret);
    const value = typed === '' ? proposed : typed;
    if (value === '') {
      terminal.note(`toolwire: ${firstLine(nameOf(key))} has no value, so the server is not started.\n`);
      return undefined;
    }
    values.push({ key, value });
  }
  return values;
}

function questionOf({ key, description, options, value }: ServerVariable): string {
  const facts = [...(description === undefined ? [] : [description]), ...(options ? [options.join(' | ')] : [])];
  const proposed = value === undefined ? '' : ` [${value}]`;
  return firstLine(`${nameOf(key)}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}${proposed}`);
}
