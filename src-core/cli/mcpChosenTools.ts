import type { ChosenTools, HostScope } from '../contract/hosts.ts';
import type { Client } from '../rpc/client.ts';
import type { GivenFlags } from './command.ts';
import { devicesCalled } from './findDevice.ts';
import { firstLine } from './firstLine.ts';
import { serversCalled } from './neededServers.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

/** Which tools are served. */
export const chosenFlags = {
  all: { type: 'boolean', help: 'serve all tools' },
  source: {
    type: 'string',
    value: 'SOURCE',
    repeats: true,
    help: 'serve the tools of this MCP server or device, by name or id: everything, mcp:ID, device:ID; may be repeated',
  },
  tools: {
    type: 'string',
    value: 'LIST',
    help: 'serve these tools: names from "toolwire endpoint tools", separated by commas',
  },
} as const;

/** Reads the flags, with the sources as they were given. Undefined if nothing is chosen. */
export function chosenOf(flags: GivenFlags): ChosenTools | undefined {
  const sources = flags.texts('source').map((source) => source.trim());
  const tools = (flags.text('tools') ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
  // An unset variable of a script must not offer everything.
  if (sources.includes('')) throw new UsageError('--source is empty. Name a source, or leave it out.');
  if (flags.isSet('tools') && tools.length === 0)
    throw new UsageError('--tools is empty. Name at least one, or leave it out.');
  const all = flags.isSet('all');
  return all || sources.length > 0 || tools.length > 0 ? { all, sources, tools } : undefined;
}

interface Context {
  client: Client;
  terminal: Terminal;
}

/**
 * What a program that runs `toolwire mcp` is offered, with the ids of the sources. Says what of it is not there, since it may come later.
 * @throws {UsageError} If a source is known to be none, or has several meanings.
 */
export async function hostScopeOf({ client, terminal }: Context, given: ChosenTools): Promise<HostScope> {
  const chosen = await findChosen({ client, terminal }, given, await client.hosts.tools({ scope: 'all' }));
  const { tools } = chosen;
  const scope = { kind: 'chosen' as const, chosen: { ...chosen, sources: [] } };
  const served = tools.length === 0 ? [] : await client.hosts.tools({ scope });
  const names = new Set(served.map(({ name }) => name));
  // A tool that was renamed is served under its name before, too.
  if (served.length < tools.length) noteMissing({ terminal, tools, names });
  return { kind: 'chosen', chosen };
}

/** Warns about `tools` that are missing from `names`. A server or a device may provide them later, so this is not an error. */
export function noteMissing(options: {
  terminal: Terminal;
  tools: readonly string[];
  names: ReadonlySet<string>;
}): void {
  const missing = options.tools.filter((name) => !options.names.has(name));
  if (missing.length > 0)
    options.terminal.note(
      `toolwire: --tools: no tools with these names can be served now: ${missing.slice(0, 10).map(firstLine).join(', ')}. "toolwire endpoint tools" lists the names.\n`,
    );
}

/** The selection with the ids of its sources. Says which of them offer none of `offered`. Throws as `hostScopeOf`. */
export async function findChosen(
  { client, terminal }: Context,
  chosen: ChosenTools,
  offered: readonly { source: string; sourceLabel: string }[],
): Promise<ChosenTools> {
  const labels = new Map(offered.map(({ source, sourceLabel }) => [source, sourceLabel]));
  const sources = await Promise.all(chosen.sources.map((source) => findSource(client, source, labels)));
  for (const [at, source] of sources.entries())
    if (!labels.has(source))
      terminal.note(
        `toolwire: ${firstLine(chosen.sources[at] ?? source)} has no tools to serve yet: it is not connected, or its tools are not offered ("toolwire servers offer").\n`,
      );
  return { ...chosen, sources };
}

/** The source that `given` names, as `kind:id`. */
async function findSource(client: Client, given: string, labels: ReadonlyMap<string, string>): Promise<string> {
  if (labels.has(given)) return given;
  const [, kind, name = ''] = /^(device|mcp|builtin|module|gateway):(.+)$/s.exec(given) ?? [];
  const wanted = kind === undefined ? given : name;
  const found = new Set<string>();
  if (kind === undefined || kind === 'mcp')
    for (const { id } of serversCalled(await client.servers.list(), wanted)) found.add(`mcp:${id}`);
  if (kind === undefined || kind === 'device')
    for (const { id } of devicesCalled(await client.devices.list(), wanted)) found.add(`device:${id}`);
  if (kind === undefined) for (const [source, label] of labels) if (label === wanted) found.add(source);
  const [only] = found;
  if (only !== undefined && found.size === 1) return only;
  if (found.size > 1)
    throw new UsageError(
      `--source: "${firstLine(given)}" can be ${[...found].map(firstLine).join(' or ')}. Use one of these.`,
    );
  // A device or a module that has never been here may come; the kept MCP servers are all there are.
  if (kind !== undefined && kind !== 'mcp') return given;
  throw new UsageError(
    `--source: there is no ${kind === 'mcp' ? 'MCP server' : 'MCP server or device'} "${firstLine(given)}". "toolwire servers list" and "toolwire devices" list them.`,
  );
}
