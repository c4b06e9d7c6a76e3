import { setTimeout } from 'node:timers/promises';

import type { Client } from '../rpc/client.ts';
import { describeThrown } from '../base/describeThrown.ts';
import type { ToolProgress } from '../base/toolTypes.ts';
import { answerRequest } from './answerRequest.ts';
import { firstLine } from './firstLine.ts';
import type { Terminal } from './terminal.ts';

const pollMs = 100;

/** Follows what happens during the calls of a command. */
export interface CallFollower {
  /** Requests of this server are answered in the terminal from now on. */
  answerFor(serverId: string): void;
  /** Whether a request was refused because the user cannot be asked. */
  refused(): boolean;
  stop(): Promise<void>;
}

/**
 * Shows the progress of a call on standard error, and asks the user what the called servers ask; refuses it if the user cannot be
 * asked.
 */
export function followCalls(options: {
  client: Client;
  terminal: Terminal;
  /** Returns the id of the call that runs. */
  callId(): string | undefined;
}): CallFollower {
  const { client, terminal, callId } = options;
  const servers = new Set<string>();
  const known = new Set<string>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let shown = '';
  let refused = false;

  async function look(): Promise<void> {
    const id = callId();
    if (id === undefined) return;
    const running = await client.calls.running();
    const { progress, waitsForUser = false } = running.find((each) => each.callId === id) ?? {};
    const line = progress === undefined ? '' : progressLine(progress);
    if (line !== '' && line !== shown) showProgress(line);
    if (servers.size === 0) return;
    for (const request of await client.servers.requests()) {
      const { requestId, serverId, callIds, kind } = request;
      if (!servers.has(serverId) || known.has(requestId)) continue;
      /** Of all calls of the server, or of another one that needs the same rights. */
      const isAwaited = kind === 'sign-in' && waitsForUser && !callIds.includes(id);
      if (!isAwaited && !callIds.includes(id)) continue;
      const others = running.filter((call) => call.callId !== id && callIds.includes(call.callId));
      // A question of a call in a window is the window's to answer; another terminal may be waiting for this one.
      if (!terminal.interactive && !isAwaited && others.some(({ origin }) => origin !== 'cli')) continue;
      known.add(requestId);
      endProgress();
      const names = others.map((call) => firstLine(call.qualifiedName)).join(', ');
      const what = isAwaited ? 'The call waits for a sign-in of' : 'The next question may also be of';
      if (others.length > 0) terminal.note(`\n${what} ${names}.`);
      const isAnswered = await answerRequest({ client, terminal, request, callId: id, signal }).catch(
        (error: unknown) => {
          terminal.note(`toolwire: ${describeThrown(error)}\n`);
          return true;
        },
      );
      if (!isAnswered) refused = true;
    }
  }

  function showProgress(line: string): void {
    if (terminal.interactive && terminal.replaceLine) terminal.replaceLine(line);
    else terminal.note(`${line}\n`);
    shown = line;
  }

  function endProgress(): void {
    if (shown !== '' && terminal.interactive && terminal.replaceLine) terminal.note('\n');
    shown = '';
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      await look();
      await setTimeout(pollMs, undefined, { signal });
    }
  }
  // It ends with the connection; the call itself fails then, and says so.
  const following = follow().catch(() => undefined);

  return {
    answerFor: (serverId) => void servers.add(serverId),
    refused: () => refused,
    async stop() {
      stopping.abort();
      await following;
      endProgress();
    },
  };
}

function progressLine({ progress, total, message }: ToolProgress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return `${count}${message === undefined ? '' : `  ${firstLine(message)}`}`;
}
