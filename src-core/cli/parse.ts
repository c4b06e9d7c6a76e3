import { createReadStream } from 'node:fs';

import { readReply, replyDialects } from '../protocols/readReply.ts';
import type { ReplyDialect, ReplyDiagnostic, ReplyReading, ReplyRequest } from '../base/replyTypes.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exitCodes.ts';
import { unreadable } from './filePieces.ts';
import { readWhole } from './readWhole.ts';
import { UsageError } from './usageError.ts';
import { firstLine } from './firstLine.ts';
import { excerpt, lineIndex, type LineIndex } from './sourceLines.ts';

/** Calls, and remarks, that are shown at most, as in the window. */
const maxShown = 500;

/** `toolwire parse`: shows how the parser reads a model's text. Needs no workbench. */
export const parseCommand: Command = {
  name: 'parse',
  argument: { label: '[FILE|-]', required: false },
  summary: 'Show the tool calls in a text, and why others would not run.',
  details:
    'Reads standard input without a file, or with "-". Does not check tool names and arguments, because it knows no tools.\nExit code 1 if the text has errors.',
  flags: {
    dialect: {
      type: 'string',
      value: 'NAME',
      help: `dialect of the text: ${replyDialects.join(', ')}; by default auto`,
    },
    json: { type: 'boolean', help: 'print the whole report as JSON' },
  },
  async run({ argument = '-', flags, terminal }) {
    const dialect = dialectOf(flags.text('dialect'));
    const text = argument === '-' ? await terminal.readInput() : await read(argument);
    const result = readReply(text, { dialect });
    terminal.print(flags.isSet('json') ? `${JSON.stringify(result, null, 2)}\n` : parseReportText(text, result));
    return result.diagnostics.some(({ severity }) => severity === 'error') ? exitCodes.failed : exitCodes.ok;
  },
};

function dialectOf(name = 'auto'): ReplyDialect {
  const dialect = replyDialects.find((each) => each === name);
  if (dialect) return dialect;
  throw new UsageError(`There is no dialect "${name}". Choose one of: ${replyDialects.join(', ')}.`);
}

async function read(file: string): Promise<string> {
  try {
    return await readWhole(createReadStream(file), file);
  } catch (error) {
    throw error instanceof Error && 'code' in error ? unreadable(file, error) : error;
  }
}

/** A parse as the user reads it: the first 500 calls, then the first 500 diagnostics, each under its line of the text. */
function parseReportText(text: string, { dialect, requests, diagnostics }: ReplyReading): string {
  const lines = lineIndex(text);
  const counts = (['error', 'warning', 'info'] as const)
    .map((severity) => [severity, diagnostics.filter((each) => each.severity === severity).length] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => plural(count, severity === 'info' ? 'note' : severity));
  const calls = requests.reduce((sum, { calls: serial }) => sum + (serial?.length ?? 1), 0);
  return [
    `${[plural(calls, 'call'), ...counts].join(', ')} (dialect ${dialect})`,
    ...(calls > 0 ? ['Tool names and arguments are not checked.'] : []),
    ...firstCalls(requests).map((request, index) => requestText(request, index + 1, lines)),
    ...notShown(calls, 'call'),
    ...diagnostics.slice(0, maxShown).map((diagnostic) => diagnosticText(diagnostic, lines)),
    ...notShown(diagnostics.length, 'remark'),
    '',
  ].join('\n');
}

/** Requests with the first calls, the serial calls of a request included. */
function firstCalls(requests: ReplyRequest[]): ReplyRequest[] {
  const shown: ReplyRequest[] = [];
  let left = maxShown;
  for (const request of requests) {
    if (left === 0) break;
    const { calls } = request;
    shown.push(calls ? { ...request, calls: calls.slice(0, left) } : request);
    left -= Math.min(left, calls?.length ?? 1);
  }
  return shown;
}

function notShown(count: number, noun: string): string[] {
  const more = count - maxShown;
  if (more <= 0) return [];
  return [`\n${more.toLocaleString('en')} more ${noun}${more === 1 ? ' is' : 's are'} not shown.`];
}

function requestText(request: ReplyRequest, number: number, lines: LineIndex): string {
  const { toolName, command, args, calls, range, control = {} } = request;
  const { line } = lines.position(range.start);
  const title = `\n${number}. line ${line}: ${firstLine(toolName)}`;
  const flags = Object.entries(control).map(
    ([key, value]) => `     [${firstLine(key)}: ${key === 'tool_password' ? '••••••' : firstLine(value)}]`,
  );
  if (calls)
    return [
      title,
      ...flags,
      ...calls.flatMap((call, index) => [`   ${index + 1}) ${firstLine(call.command)}`, ...argLines(call.args)]),
    ].join('\n');
  return [command === undefined ? title : `${title} → ${firstLine(command)}`, ...flags, ...argLines(args)].join('\n');
}

function argLines(args: Record<string, string>): string[] {
  return Object.entries(args).map(([name, value]) => `     ${firstLine(name)} = ${firstLine(JSON.stringify(value))}`);
}

function diagnosticText({ severity, code, message, start, end, fix }: ReplyDiagnostic, lines: LineIndex): string {
  const { line, column } = lines.position(start);
  return [
    `\n${severity} ${code} at ${line}:${column}: ${message}`,
    excerpt(lines, { start, end }),
    ...(fix ? [`  fix: ${fix.title}`] : []),
  ].join('\n');
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
