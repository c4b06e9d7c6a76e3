import { writeFile } from 'node:fs/promises';

import { readServerConfigs, maxConfigLength } from '../features/servers/configFiles/readServerConfigs.ts';
import { valuesOf } from '../features/servers/configFiles/expandEndpoint.ts';
import { placeOf } from '../features/servers/configFiles/secretParts.ts';
import { exportFormats, type ExportFormat, type ServerExport } from '../contract/servers.ts';
import type { ConfiguredServer } from '../features/servers/configFiles/types.ts';
import { writeServerConfigs } from '../features/servers/configFiles/writeServerConfigs.ts';
import type { Command, GivenFlags } from './command.ts';
import { exitCodes } from './exitCodes.ts';
import { readFileText } from './filePieces.ts';
import { firstLine, messageLine } from './firstLine.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

const argument = { label: 'FILE|-', required: true };

/** The flags of a command that writes a configuration file. */
export const exportFlags = {
  to: { type: 'string', value: 'FORMAT', help: 'the format to write' },
  out: {
    type: 'string',
    value: 'FILE',
    help: 'write to this file, which must not exist; by default, to standard output',
  },
  json: { type: 'boolean', help: 'print the text, the problems and the missing secrets as JSON' },
} as const;

/** `toolwire servers show`: what a configuration of MCP servers would start. */
export const serversShowCommand: Command = {
  name: 'servers show',
  argument,
  summary: 'Show the MCP servers of a configuration file, with the whole command of each.',
  details:
    'Reads the files of Claude Desktop, Claude Code, Cursor, Cline, VS Code, Codex and mcp_pipe, a server.json, a link or a\n' +
    'command line. Nothing is started. Variables and headers are shown without their values; those that have none here are marked.\n' +
    'Exit code 1 if a server could not be read.',
  flags: { json: { type: 'boolean', help: 'print the servers and problems as JSON' } },
  async run({ argument: file = '', flags, terminal }) {
    const { format, servers, problems } = await readFrom(file, terminal);
    if (flags.isSet('json')) {
      const shown = servers.map((server) => {
        const { name, config, disabled, timeoutMs } = server;
        const values = valuesOf(server);
        return {
          name,
          type: config.type,
          place: placeOf(server),
          values: values.map((each) => each.name),
          missing: values.filter((each) => each.missing).map((each) => each.name),
          ...(config.type === 'stdio' && config.cwd !== undefined && { cwd: config.cwd }),
          ...(disabled !== undefined && { disabled }),
          ...(timeoutMs !== undefined && { timeoutMs }),
        };
      });
      terminal.print(`${JSON.stringify({ format, servers: shown, problems }, null, 2)}\n`);
    } else {
      terminal.print(servers.map(serverText).join('\n'));
      noteProblems(problems, terminal);
    }
    return codeOf(problems);
  },
};

/** `toolwire servers convert`: a configuration for another host. */
export const serversConvertCommand: Command = {
  name: 'servers convert',
  argument,
  summary: 'Write the MCP servers of a configuration file for another host.',
  details:
    `Formats: ${exportFormats.join(', ')}.\n` +
    'Secrets are replaced by inputs, variables or placeholders, and listed. Nothing is started. Exit code 1 if a server could\n' +
    'not be read or written.',
  flags: exportFlags,
  async run({ argument: file = '', flags, terminal }) {
    const format = formatOf(flags);
    const read = await readFrom(file, terminal);
    const written = writeServerConfigs(read.servers, format, { hideSecrets: true });
    const text = read.servers.length > 0 ? written.text : '';
    return printExport({ ...written, text, problems: [...read.problems, ...written.problems] }, flags, terminal);
  },
};

const unwritable: Readonly<Record<string, string>> = {
  EEXIST: 'it exists; name another file or delete it',
  ENOENT: 'its folder does not exist',
};

/** Writes or prints a configuration file. Returns the exit code. Nothing is written if it has no server. */
export async function printExport(written: ServerExport, flags: GivenFlags, terminal: Terminal): Promise<number> {
  const { text, problems, missing } = written;
  const isEmpty = text === '';
  const out = flags.text('out');
  if (out !== undefined && !isEmpty)
    await writeFile(out, text, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
      const why = unwritable[cause.code ?? ''] ?? cause.message;
      throw new Error(`${out} cannot be written: ${why}.`, { cause });
    });
  if (flags.isSet('json')) {
    terminal.print(`${JSON.stringify(written, null, 2)}\n`);
    return codeOf(problems);
  }
  if (out === undefined) terminal.print(text);
  noteProblems(problems, terminal);
  for (const { server, field, written: placed } of missing)
    terminal.note(`toolwire: ${firstLine(server)}: fill in ${firstLine(field)}, which is ${firstLine(placed)}.\n`);
  return codeOf(problems);
}

async function readFrom(file: string, terminal: Terminal): Promise<ReturnType<typeof readServerConfigs>> {
  if (file === '-') return readServerConfigs(await terminal.readInput());
  return readServerConfigs(readFileText(file, 4 * maxConfigLength), file);
}

export function formatOf(flags: GivenFlags): ExportFormat {
  const given = flags.text('to');
  const format = exportFormats.find((each) => each === given);
  if (format === undefined)
    throw new UsageError(
      `--to must be one of ${exportFormats.join(', ')}; it is ${given === undefined ? 'missing' : `"${given}"`}.`,
    );
  return format;
}

export function codeOf(problems: ServerExport['problems']): number {
  return problems.some(({ level }) => level === 'error') ? exitCodes.failed : exitCodes.ok;
}

export function noteProblems(problems: ServerExport['problems'], terminal: Terminal): void {
  for (const { message, line } of problems)
    terminal.note(`toolwire: ${line === undefined ? '' : `line ${line}: `}${messageLine(message.text)}\n`);
}

function serverText(server: ConfiguredServer): string {
  const { name, config, disabled } = server;
  const values = valuesOf(server).map((value) => {
    const { missing, unset } = value;
    const mark = unset.length > 0 ? ` (needs ${unset.join(', ')})` : missing ? ' (no value)' : '';
    return firstLine(`${value.name}${mark}`);
  });
  const label = config.type === 'stdio' ? 'variables' : 'headers';
  return [
    `${firstLine(name)}  (${config.type}${disabled === true ? ', disabled' : ''})`,
    `  ${placeOf(server)}`,
    ...(config.type === 'stdio' && config.cwd !== undefined ? [`  in ${config.cwd}`] : []),
    ...(values.length > 0 ? [`  ${label}: ${values.join(', ')}`] : []),
    '',
  ].join('\n');
}
