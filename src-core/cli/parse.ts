import { createReadStream } from 'node:fs';

import { readReply, replyDialects } from '../protocols/readReply.ts';
import type { ReplyDialect } from '../protocols/replyTypes.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exitCodes.ts';
import { unreadable } from './filePieces.ts';
import { parseReportText } from './parseReportText.ts';
import { readWhole } from './readWhole.ts';
import { UsageError } from './usageError.ts';

/** `toolwire parse`: shows how the parser reads a model's text. Needs no workbench. */
export const parseCommand: Command = {
  name: 'parse',
  argument: { label: '[FILE|-]', required: false },
  summary: 'Show the tool calls in a text, and what would not run and why.',
  details: 'Reads standard input without a file, or with "-". Ends with 1 if the text has errors.',
  flags: {
    dialect: { type: 'string', value: 'NAME', help: `whose reading: ${replyDialects.join(', ')}; auto unless told` },
    json: { type: 'boolean', help: 'the whole report, as JSON' },
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
