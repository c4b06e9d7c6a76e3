import { ORPCError } from '@orpc/client';
import { randomUUID } from 'node:crypto';

import type { Client } from '../rpc/client.ts';
import type { ApiErrorData, ReplayedCall, ReplayReport } from '../contract/types.ts';
import type { Command } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { findDevice } from './findDevice.ts';
import { firstLine } from './firstLine.ts';
import { followCalls } from './followCalls.ts';
import { importCapture } from './importCapture.ts';
import { findServer } from './neededServers.ts';
import { UsageError } from './usageError.ts';

type Run = { captureId: string; targetId: string; callId: string; confirmed: boolean };

/** `toolwire replay`: the calls of a capture, run again on a device or an MCP server. */
export const replayCommand: Command = {
  name: 'replay',
  argument: { label: 'FILE', required: true },
  summary: 'Replay the calls of a capture on a device or an MCP server, and compare the answers.',
  details:
    'FILE is a capture, or the number of an imported one. The capture of a server is replayed on a server.\n' +
    'Asks you what a server asks, as "toolwire call" does. Exit code 1 if an answer differs or a call fails. Ctrl+C cancels.',
  flags: {
    on: { type: 'string', value: 'TARGET', help: 'the device or server, by its id or its name; it must be connected' },
    yes: { type: 'boolean', help: 'also run dangerous calls, which are skipped otherwise' },
    json: { type: 'boolean', help: 'print the whole report as JSON' },
    ...dataDirFlag,
  },
  async run({ argument: source = '', flags, terminal }) {
    const on = flags.text('on');
    if (on === undefined) throw new UsageError('--on must name the device or the MCP server to run the calls on.');
    return withWorkbench({ flags, terminal }, async ({ client }) => {
      const isKept = /^\d+$/.test(source) && (await client.captures.list()).some(({ id }) => id === source);
      const captureId = isKept ? source : (await importCapture(client, source)).id;
      try {
        const origin = await requireCalls(client, captureId, source);
        const { id: targetId } = await (origin === 'mcp' ? findServer : findDevice)(client, on);
        const run = { captureId, targetId, callId: '', confirmed: flags.isSet('yes') };
        const follower = followCalls({ client, terminal, callId: () => run.callId });
        if (origin === 'mcp') follower.answerFor(targetId);
        const { lost, ...report } = await replay(client, run, terminal.ended).finally(() => follower.stop());
        terminal.print(flags.isSet('json') ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
        const left = report.calls.filter(({ verdict }) => verdict === 'asks-first').length;
        if (left > 0) terminal.note(`toolwire: Dangerous calls left out: ${left}. --yes runs them.\n`);
        if (lost !== undefined) terminal.note(`toolwire: Not run again from call #${lost.seq} on: ${lost.message}\n`);
        if (terminal.ended.aborted) return exitCodes.interrupted;
        if (lost !== undefined) return exitCodes.unreachable;
        if (follower.refused()) return exitCodes.refused;
        return isFine(report) ? exitCodes.ok : exitCodes.failed;
      } finally {
        if (!isKept) await client.captures.remove({ captureId, forGood: true });
      }
    });
  },
};

/** Returns what the log is of. @throws {Error} If it is not of a device or server, or has no calls: there would be nothing to compare. */
async function requireCalls(client: Client, captureId: string, source: string): Promise<'mcp' | undefined> {
  const { origin } = (await client.captures.list()).find(({ id }) => id === captureId) ?? {};
  const kind = { gateway: 'the gateway', realtime: 'a realtime conversation' };
  if (origin !== undefined && origin !== 'mcp')
    throw new Error(`${source} is a log of ${kind[origin]}. Only logs of devices and MCP servers can be replayed.`);
  const { done = false } = await callsOf(client, captureId).next();
  if (done) throw new Error(`${source} has no calls to run again.`);
  return origin;
}

/**
 * One call after the other, so that the results of those before Ctrl+C, or before the target was lost, are known.
 * `run.callId` is set to that of each. `lost` is the first call that did not run because the target had gone.
 */
async function replay(
  client: Client,
  run: Run,
  ended: AbortSignal,
): Promise<ReplayReport & { lost?: { seq: number; message: string } }> {
  const calls: ReplayedCall[] = [];
  let seq = 0;
  try {
    for await (seq of callsOf(client, run.captureId)) {
      run.callId = randomUUID();
      const report = await client.captures.replay({ ...run, seqs: [seq], origin: 'cli' }, { signal: ended });
      calls.push(...report.calls);
      if (report.stopped) return { calls, stopped: true };
    }
    return { calls };
  } catch (error) {
    const isLost = error instanceof ORPCError && concernsTarget(error.data as ApiErrorData | undefined);
    if (isLost && calls.length > 0) return { calls, stopped: true, lost: { seq, message: error.message } };
    if (!ended.aborted) throw error;
    // The engine would let the running call end.
    await client.calls.cancel({ callId: run.callId });
    return { calls, stopped: true };
  }
}

function concernsTarget(data: ApiErrorData | undefined): boolean {
  return data !== undefined && 'field' in data && data.field === 'targetId';
}

async function* callsOf(client: Client, captureId: string): AsyncGenerator<number> {
  const limit = 5_000;
  let afterSeq: number | undefined;
  for (;;) {
    const { rows } = await client.frames.page({ captureId, limit, ...(afterSeq !== undefined && { afterSeq }) });
    for (const { seq, role, method } of rows) if (role === 'request' && method === 'tools/call') yield seq;
    if (rows.length < limit) return;
    afterSeq = rows.at(-1)?.seq;
  }
}

function isFine({ calls, stopped }: ReplayReport): boolean {
  return stopped === undefined && calls.every(({ verdict }) => verdict === 'same' || verdict === 'asks-first');
}

function reportText({ calls, stopped }: ReplayReport): string {
  const lines = calls.flatMap(({ seq, toolName, argsJson, verdict, recorded, now }) => [
    `${verdict.padEnd(10)} #${seq} ${firstLine(toolName)} ${firstLine(argsJson)}`,
    ...(verdict === 'different' || verdict === 'error'
      ? [
          `           recorded ${recorded === undefined ? 'no whole answer' : firstLine(recorded.text)}`,
          `           now      ${now === undefined ? '' : firstLine(now.text)}`,
        ]
      : []),
  ]);
  const same = calls.filter(({ verdict }) => verdict === 'same').length;
  lines.push(
    `${same} of ${calls.length} ${calls.length === 1 ? 'call' : 'calls'} answered the same${stopped ? '; stopped half-way' : ''}.`,
  );
  return `${lines.join('\n')}\n`;
}
