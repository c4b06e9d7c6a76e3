import { randomUUID } from 'node:crypto';

import { describeJsonFault } from '../base/describeJsonFault.ts';
import { outputWarnings } from '../base/outputWarnings.ts';
import { parseExact, writeExact, type ExactJson } from '../base/exactJson.ts';
import type { ContentBlock } from '../base/toolTypes.ts';
import { ConnectionLostError, type Client } from '../rpc/client.ts';
import type { ExecuteInput, ToolErrorCode, ToolExecutionResult } from '../contract/types.ts';
import type { Command } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine, messageLine } from './firstLine.ts';
import { followCalls } from './followCalls.ts';
import { createNeededServers, reasonLines, wordOf } from './neededServers.ts';
import { isYes, type Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

/** `toolwire call`: one call, through the same executor as everything else. */
export const callCommand: Command = {
  name: 'call',
  argument: { label: 'NAME', required: true },
  summary: 'Run one method, by its name in "toolwire tools".',
  details:
    'Prints the result. Progress goes to standard error. Ctrl+C cancels. Asks you before a dangerous call, and what an MCP\n' +
    'server asks during the call. If there is no terminal to ask in, both are refused.\n' +
    'Uses the workbench that runs on the same data directory, or runs the method itself. If the MCP server of the tool does not\n' +
    'run and is always approved, it is started for the call. A tool that is withheld, because its definition has changed or has\n' +
    'hidden characters, is refused until you accept it ("toolwire servers accept"), or called with --withheld.\n' +
    'Exit code 3 if an approval or an answer is missing, 4 if the server does not start or its connection is lost.',
  flags: {
    args: { type: 'string', value: 'JSON', help: 'the arguments as a JSON object; - reads them from standard input' },
    timeout: { type: 'string', value: 'MS', help: 'timeout of the call in milliseconds' },
    yes: { type: 'boolean', help: 'run the call without asking, even if it is dangerous' },
    withheld: { type: 'boolean', help: 'call the tool even if its definition is not accepted' },
    json: { type: 'boolean', help: 'print the whole result as JSON' },
    ...dataDirFlag,
  },
  async run({ argument: toolName = '', flags, terminal }) {
    const timeoutMs = flags.number('timeout', { min: 1, max: 3_600_000 });
    const given = flags.text('args') ?? '{}';
    const argsJson = given === '-' ? await terminal.readInput() : given;
    checkArgs(argsJson);
    const input = {
      callId: randomUUID(),
      toolName,
      argsJson,
      origin: 'cli' as const,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(flags.isSet('yes') && { confirmed: true }),
      onlyAccepted: !flags.isSet('withheld'),
    };
    return withWorkbench({ flags, terminal }, async ({ client }) => {
      const servers = createNeededServers({ client, terminal });
      try {
        const owner = await servers.startOwnerOf(toolName);
        const follower = followCalls({ client, terminal, callId: () => input.callId });
        if (owner !== undefined) follower.answerFor(owner.id);
        const result = await execute({ client, terminal, input }).finally(() => follower.stop());
        if (result === undefined) return exitCodes.unreachable;
        report(result, { terminal, json: flags.isSet('json') });
        if (owner !== undefined && result.error?.code === 'disconnected') {
          // Undefined if the server was removed meanwhile.
          const failure = (await client.servers.list()).find(({ id }) => id === owner.id)?.failure;
          if (failure !== undefined && failure.stderr.length > 0) terminal.note(`${reasonLines(failure).join('\n')}\n`);
        }
        if (owner !== undefined && result.error?.code === 'tool-withheld')
          terminal.note(
            `"toolwire servers accept ${wordOf(owner)}" shows what has changed, and asks. --withheld calls the tool without accepting it.\n`,
          );
        return codeOf(result, follower.refused(), terminal);
      } finally {
        await servers.stop();
      }
    });
  },
};

function codeOf({ status, error }: ToolExecutionResult, refused: boolean, { ended }: Terminal): number {
  if (ended.aborted && error?.code === 'cancelled') return exitCodes.interrupted;
  if (refused) return exitCodes.refused;
  if (status === 'success') return exitCodes.ok;
  if (error === undefined) return exitCodes.failed;
  if (['confirmation-required', 'not-authorized', 'tool-changed', 'tool-withheld'].includes(error.code))
    return exitCodes.refused;
  if (error.details?.['needs'] === 'sign-in') return exitCodes.refused;
  return error.code === 'disconnected' ? exitCodes.unreachable : exitCodes.failed;
}

interface Execution {
  client: Client;
  terminal: Terminal;
  input: Omit<ExecuteInput, 'origin'> & { origin: 'cli' };
}

/** Undefined if the workbench ended during the call. */
async function execute({ client, terminal, input }: Execution): Promise<ToolExecutionResult | undefined> {
  // If the engine cannot be reached, it has ended, and so has the call.
  const cancel = (): void => void client.calls.cancel({ callId: input.callId }).catch(() => undefined);
  terminal.ended.addEventListener('abort', cancel);
  try {
    if (terminal.ended.aborted) throw new Error('Cancelled before the call began.');
    const result = await client.calls.execute(input);
    if (result.error?.code !== 'confirmation-required') return result;
    if (!terminal.interactive) {
      terminal.note('toolwire: The user cannot be asked here: --yes runs it without asking.\n');
      return result;
    }
    const answer = await terminal.ask(`${result.result}\nRun it? [y/N] `);
    const asked = result.error.details?.['asked'];
    // A yes applies only to the method that was shown.
    const answered = isYes(answer) ? { approved: typeof asked === 'string' ? asked : '' } : { refused: true as const };
    return await client.calls.execute({ ...input, ...answered });
  } catch (error) {
    if (!(error instanceof ConnectionLostError)) throw error;
    terminal.note(`toolwire: ${error.message} The call may have run.\n`);
    return undefined;
  } finally {
    terminal.ended.removeEventListener('abort', cancel);
  }
}

const remedies: Partial<Record<ToolErrorCode, string>> = {
  'unknown-tool': '"toolwire tools" lists the names.\n',
  'unknown-method': '"toolwire tools" lists the names.\n',
  'invalid-arguments': '--args must fit the inputSchema, which "toolwire tools --json" prints.\n',
};

const forgotten =
  'A new session is opened. The call was not repeated, because it may change something. Run it again.\n';

function report(result: ToolExecutionResult, { terminal, json }: { terminal: Terminal; json: boolean }): void {
  if (json) return terminal.print(`${toJson(result)}\n`);
  if (result.remark !== undefined) terminal.note(`toolwire: ${result.remark}\n`);
  // The error's text names every issue.
  if (result.status !== 'success') {
    const { code, details, issues } = result.error ?? { code: 'tool-error' as const };
    const doFit = code === 'invalid-arguments' && issues === undefined;
    const remedy = details?.['lost'] === 'session' ? forgotten : doFit ? undefined : remedies[code];
    return terminal.note(`toolwire: ${result.result} (${code})\n${remedy ?? ''}`);
  }
  terminal.print(`${result.result}\n`);
  noteBlocks(result.content ?? [], terminal);
  for (const warning of outputWarnings(result)) terminal.note(`toolwire: ${messageLine(warning)}\n`);
}

/** One line for each picture, sound and resource that is not in the printed text. */
function noteBlocks(content: readonly ContentBlock[], terminal: Terminal): void {
  const hasText = content.some(({ type }) => type === 'text');
  for (const block of content) {
    if (block.type === 'text') continue;
    const [uri, text, data] =
      block.type === 'resource' ? [block.uri, block.text, block.blob] : [undefined, undefined, block.data];
    // Without a text block, the text of a resource and a link are printed.
    if (data === undefined && !hasText) continue;
    const bytes = data === undefined ? text : Buffer.from(data, 'base64');
    const facts = [uri, block.mimeType, bytes && `${Buffer.byteLength(bytes)} bytes`].filter(Boolean).join(', ');
    terminal.note(
      `toolwire: Not printed: ${firstLine(facts)}. --json prints it${data === undefined ? '' : ' as base64'}.\n`,
    );
  }
}

/** The result over several lines. The structured content is part of it, with every number as it was sent. */
function toJson({ structuredContent, ...result }: ToolExecutionResult): string {
  const structured = structuredContent === undefined ? {} : { structuredContent: parseExact(structuredContent) };
  return writeExact(Object.assign({} as Record<string, ExactJson>, result, structured), 2);
}

function checkArgs(argsJson: string): void {
  let value: unknown;
  try {
    value = JSON.parse(argsJson);
  } catch (error) {
    throw new UsageError(`--args is not valid JSON: ${describeJsonFault(argsJson, error)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--args must be a JSON object, as in --args \'{"volume": 50}\'.');
}
