import { setTimeout } from 'node:timers/promises';

import type { Client } from '../rpc/client.ts';
import { visibleLine } from '../base/hiddenCharacters.ts';
import { nearestNames } from '../base/nearestNames.ts';
import type { ServerFailure, ServerRow } from '../contract/servers.ts';
import { serverWords } from '../contract/stateWords.ts';
import { ExitError, exitCodes } from './exitCodes.ts';
import { firstLine, messageLine } from './firstLine.ts';
import type { Terminal } from './terminal.ts';

const pollMs = 50;

interface Context {
  client: Client;
  terminal: Terminal;
}

/** The MCP servers that a command uses. */
export interface NeededServers {
  /**
   * Starts a server unless it is ready. @throws {ExitError} If it is not approved or does not become ready: the message says what to do.
   */
  start(row: ServerRow): Promise<void>;
  /** Starts the server that a tool of this name belongs to. Returns it, or undefined if the name is of no server. Throws as `start`. */
  startOwnerOf(toolName: string): Promise<ServerRow | undefined>;
  /** Stops what was started. */
  stop(): Promise<void>;
}

/** Starts approved MCP servers for a command. */
export function createNeededServers({ client, terminal }: Context): NeededServers {
  const started = new Set<string>();
  /** By server. None is tried twice. */
  const failures = new Map<string, ExitError>();

  async function start(row: ServerRow): Promise<void> {
    const failure = failures.get(row.id);
    if (failure !== undefined) throw failure;
    try {
      await startOnce(row);
    } catch (error) {
      if (error instanceof ExitError) failures.set(row.id, error);
      throw error;
    }
  }

  async function startOnce(row: ServerRow): Promise<void> {
    const { id, name, state } = row;
    if (state === 'ready') return;
    if (state !== 'starting' && !waitsForSignIn(row)) {
      // One that fails or needs a sign-in was started by the user, and stays so.
      if (state === 'stopped' || state === 'asking') started.add(id);
      await client.servers.start({ id });
    }
    if ((await rowOf(client, id)).state !== 'asking') return void (await untilReady({ client, terminal }, id));
    started.delete(id);
    // It did not wait for an approval before.
    if (state !== 'asking') await client.servers.stop({ id });
    throw new ExitError(notApproved({ id, name }), exitCodes.refused);
  }

  return {
    start,
    async startOwnerOf(toolName) {
      const owner = ownerOf(await client.servers.list(), toolName);
      if (owner !== undefined) await start(owner);
      return owner;
    },
    async stop() {
      await Promise.all([...started].map((id) => client.servers.stop({ id })));
    },
  };
}

/** Waits until a server that was started is ready. @throws {ExitError} If it does not become ready. */
export async function untilReady({ client, terminal }: Context, id: string): Promise<ServerRow> {
  for (let told = ''; ;) {
    const row = await rowOf(client, id);
    if (row.state === 'ready') return row;
    if (waitsForSignIn(row)) told = await showSignIn({ client, terminal }, row, told);
    else if (row.state !== 'starting') throw notReady(row);
    await setTimeout(pollMs, undefined, { signal: terminal.ended });
  }
}

/** Whether the user is asked to sign in. Another start would end the calls that wait for it. */
export function waitsForSignIn({ state, failure }: ServerRow): boolean {
  return state === 'sign-in' && failure === undefined;
}

/** Shows the page of a sign-in once. The browser returns to Toolwire, which then starts the server. Returns the page that was shown. */
async function showSignIn({ client, terminal }: Context, { id, name }: ServerRow, told: string): Promise<string> {
  if (!terminal.interactive)
    throw new ExitError(`${firstLine(name)} needs a sign-in. Run: toolwire servers sign-in ${id}`, exitCodes.refused);
  const page = (await client.servers.requests()).find(({ serverId, kind }) => serverId === id && kind === 'sign-in');
  if (page?.url === undefined || page.url === told) return told;
  terminal.note(`${firstLine(name)} needs a sign-in. Open this page in a browser of this computer:\n  ${page.url}\n`);
  return page.url;
}

export async function rowOf(client: Client, id: string): Promise<ServerRow> {
  const row = (await client.servers.list()).find((each) => each.id === id);
  if (row === undefined) throw new Error('The server was removed meanwhile.');
  return row;
}

/** Finds a kept server by its id, the first 4 or more characters of it, its name or the id of its tools. */
export async function findServer(client: Client, wanted: string): Promise<ServerRow> {
  const rows = await client.servers.list();
  const found = serversCalled(rows, wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1)
    throw new Error(
      `"${firstLine(wanted)}" can be ${found.map(({ id, name }) => `${id} (${firstLine(name)})`).join(' or ')}. Use the id.`,
    );
  const [nearest] = nearestNames({ query: wanted, items: rows, keysOf: ({ name }) => [name], limit: 1 });
  const hint = nearest === undefined ? '' : ` Did you mean "${firstLine(nearest.name)}"?`;
  throw new Error(`There is no MCP server "${firstLine(wanted)}".${hint} "toolwire servers list" lists them.`);
}

/** Those of this id; without one, those of this name; without one, those whose ids begin with it. */
export function serversCalled(rows: readonly ServerRow[], wanted: string): readonly ServerRow[] {
  const byId = rows.filter(({ id, registryId }) => id === wanted || registryId === wanted);
  if (byId.length > 0) return byId;
  const byName = rows.filter(({ name }) => name === wanted);
  return byName.length > 0 || wanted.length < 4 ? byName : rows.filter(({ id }) => id.startsWith(wanted));
}

/** The server with the longest id of tools that the name begins with. */
function ownerOf(rows: readonly ServerRow[], toolName: string): ServerRow | undefined {
  return rows
    .filter(({ registryId }) => toolName === registryId || toolName.startsWith(`${registryId}_`))
    .sort((one, other) => other.registryId.length - one.registryId.length)[0];
}

/** What a command line names a server by: its name, if a shell takes it as one word. */
export function wordOf({ id, name }: Pick<ServerRow, 'id' | 'name'>): string {
  return /^\w[\w.-]*$/.test(name) ? name : id;
}

export function notApproved({ id, name }: Pick<ServerRow, 'id' | 'name'>): string {
  return `${firstLine(name)} is not approved. Look at its command and approve it with: toolwire servers start ${wordOf({ id, name })}`;
}

function notReady({ name, state, failure }: ServerRow): ExitError {
  const lines = failure === undefined ? [`Its state is “${serverWords[state]}”.`] : reasonLines(failure);
  return new ExitError(`${firstLine(name)}: ${lines.join('\n')}`, exitCodes.unreachable);
}

/** The whole reason, and the last lines of the process. */
export function reasonLines({ text, stderr }: ServerFailure): string[] {
  return [visibleLine(text), ...stderr.slice(-10).map((line) => `  ${messageLine(line)}`)];
}
