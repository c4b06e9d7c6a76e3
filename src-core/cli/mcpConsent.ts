import { visibleLine } from '../base/hiddenCharacters.ts';
import type { Client } from '../rpc/client.ts';
import type { ConsentSheet, ServerOrigin, ServerWarningCode } from '../contract/serverConsent.ts';
import type { ServerRow } from '../contract/servers.ts';
import type { GivenFlags } from './command.ts';
import { firstLine } from './firstLine.ts';
import { settle } from './mcpValues.ts';
import type { Terminal } from './terminal.ts';

/** Shows what would be started, and asks. Returns what it is approved for; it is starting then. */
export async function approveServer(
  { flags, terminal }: { flags: GivenFlags; terminal: Terminal },
  client: Client,
  { id, name }: Pick<ServerRow, 'id' | 'name'>,
): Promise<'once' | 'always' | undefined> {
  const sheet = await settle({ client, terminal }, { id, name });
  const given = flags.text('approve');
  if (flags.isSet('json') && (sheet === undefined || (given === undefined && !terminal.interactive)))
    terminal.print(
      `${JSON.stringify({ id, name, consent: sheet ?? (await client.servers.consent({ id })) }, null, 2)}\n`,
    );
  if (sheet === undefined) return undefined;
  terminal.note(sheetText(name, sheet));
  if (given === undefined && !terminal.interactive) {
    terminal.note(
      `toolwire: The user cannot be asked here. --approve ${sheet.fingerprint} starts it; add --always for all starts.\n`,
    );
    return undefined;
  }
  const answer = given === undefined ? (await terminal.ask('Start it? [y/N, a: always] ')).trim() : 'y';
  if (!/^(?:y|yes|a|always)$/i.test(answer)) return undefined;
  const always = flags.isSet('always') || /^a/i.test(answer);
  await client.servers.approve({ id, fingerprint: given ?? sheet.fingerprint, always });
  return always ? 'always' : 'once';
}

const warningTexts: Readonly<Record<ServerWarningCode, string>> = {
  unpinned: 'no exact version, so each start may run another one',
  shell: 'a shell runs everything in its arguments',
  administrator: 'runs as administrator',
  privileged: 'the container has all rights',
  'wide-path': 'a whole disk or home folder',
  unencrypted: 'not encrypted, so others on the network can read headers and calls',
};

function originText({ how, file = '', at }: ServerOrigin): string {
  const texts: Readonly<Record<ServerOrigin['how'], string>> = {
    'by-hand': 'added by hand',
    file: `imported from ${file}`,
    text: 'imported from pasted text',
    link: 'imported from a link',
    'terminal-add': 'added with toolwire servers add',
    'terminal-import': 'imported with toolwire servers import',
  };
  return `${texts[how]}${at === undefined ? '' : ` at ${new Date(at).toISOString()}`}`;
}

/** One fact a line, whole: a text of the configuration cannot add a line, and hidden characters are codes. */
function sheetText(name: string, sheet: ConsentSheet): string {
  const { url, program, cwd, added, warnings, changes, values, fingerprint } = sheet;
  const names = (of: readonly string[]): string => (of.length === 0 ? 'none' : of.join(', '));
  const lines = [
    `${firstLine(name)} wants to ${url === undefined ? 'start' : 'be reached'}:`,
    `  ${url ?? sheet.command.map(({ text }) => text).join(' ')}`,
    ...(program === undefined ? [] : [`  program: ${program.realPath}`]),
    ...(cwd === undefined ? [] : [`  folder: ${cwd}`]),
    url === undefined
      ? `  variables: ${names(sheet.envNames.map((each) => each.name))}`
      : `  headers: ${names(sheet.headerNames)}`,
    ...(added === undefined ? [] : [`  ${originText(added)}`]),
    ...warnings.map(({ code, part }) => `  warning: ${part}: ${warningTexts[code]}`),
    ...changes.map(({ field, before, after }) => `  changed: ${field}: ${before} → ${after}`),
    ...(values.length === 0 ? [] : [`  new values: ${names(values)}`]),
    `  fingerprint: ${fingerprint}`,
  ];
  return lines.map((line) => `${visibleLine(line)}\n`).join('');
}
