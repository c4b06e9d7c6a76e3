import { setTimeout } from 'node:timers/promises';

import { isAddressRange } from '../base/isAddressRange.ts';
import { formatDuration } from '../base/formatDuration.ts';
import { isBrokerAddress } from '../base/isBrokerAddress.ts';
import { isOrigin } from '../base/isOrigin.ts';
import { RequestError } from '../base/requestError.ts';
import type { HistoryFound } from '../contract/callRecords.ts';
import type { CallPage, CallSearch, ProxySettings } from '../contract/cluster.ts';
import { callerWords, verdictOfFound, verdictWords } from '../contract/stateWords.ts';
import { brokerAddress } from '../features/cluster/brokerAddress.ts';
import type { Client } from '../rpc/client.ts';
import type { ClusterOptions } from '../features/cluster/service.ts';
import { secretsInFile } from '../features/cluster/tokenSecrets.ts';
import type { Command, GivenFlags } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { firstLine, messageLine } from './firstLine.ts';
import type { Terminal } from './terminal.ts';
import { cutTo, textTable } from './textTable.ts';
import { UsageError } from './usageError.ts';
import type { Workbench } from '../workbench.ts';

/** ms in which the other nodes answer. */
const answersMs = 1_000;

/** The flags of a command that joins a cluster. */
export const clusterFlags = {
  cluster: {
    type: 'string',
    value: 'URL',
    help: 'join the cluster at this NATS server: nats://HOST or tls://HOST; separate several with commas',
  },
  'cluster-name': { type: 'string', value: 'NAME', help: 'name of the cluster; by default "main"' },
  'cluster-nkey': { type: 'string', value: 'FILE', help: 'file with the nkey seed of this node' },
  'cluster-ca': {
    type: 'string',
    value: 'FILE',
    help: 'file with the certificate of the authority that signed the one of the broker; requires TLS',
  },
  'cluster-token-file': {
    type: 'string',
    value: 'FILE',
    help: 'file with the token secrets of the cluster; by default the environment variable TOOLWIRE_TOKEN_SECRET',
  },
  'keep-sessions': {
    type: 'boolean',
    help: 'keep the last turn of each session of the LLM gateway in the cluster, in case its node is lost',
  },
  'node-name': { type: 'string', value: 'NAME', help: 'name of this node; by default the name of the machine' },
} as const;

/**
 * What the flags say of a cluster; undefined if they name none.
 * @throws UsageError if a flag is not usable.
 */
export function clusterOf(flags: GivenFlags): ClusterOptions | undefined {
  const given = (flag: keyof typeof clusterFlags): string => flags.text(flag)?.trim() ?? '';
  const url = given('cluster');
  const name = flags.text('cluster-name') ?? 'main';
  const nodeName = given('node-name');
  if (flags.text('cluster') === undefined) {
    const other = Object.keys(clusterFlags).find((flag) => flags.isSet(flag));
    if (other === undefined) return undefined;
    throw new UsageError(`--${other} needs --cluster URL.`);
  }
  if (!isBrokerAddress(url, { mayHaveUser: true }))
    throw new UsageError('--cluster takes nats://HOST:PORT or tls://HOST:PORT; several are separated by commas.');
  const users = url.split(',').flatMap((one) => {
    const { username, password } = new URL(one.trim());
    return username === '' ? [] : [`${username}:${password}`];
  });
  if (new Set(users).size > 1) throw new UsageError('--cluster takes one user and password for all its addresses.');
  if (!/^[\w-]{1,32}$/.test(name))
    throw new UsageError(`--cluster-name takes 1 to 32 letters, digits, "-" and "_"; it is ${JSON.stringify(name)}.`);
  if (nodeName.length > 64) throw new UsageError('--node-name takes at most 64 characters.');
  const files = {
    nkeyFile: given('cluster-nkey'),
    caFile: given('cluster-ca'),
    tokenFile: given('cluster-token-file'),
  };
  const options = { url, name, nodeName, ...files, keepSessions: flags.isSet('keep-sessions') };
  try {
    brokerAddress(options);
    if (files.tokenFile !== '') secretsInFile(files.tokenFile);
  } catch (error) {
    throw error instanceof RequestError ? new UsageError(error.message) : error;
  }
  return options;
}

/** The flags of a command that listens behind a load balancer. */
export const proxyFlags = {
  'public-url': {
    type: 'string',
    value: 'URL',
    help: 'public address for devices, such as http://devices.example; used in OTA answers and in addresses for pictures',
  },
  'trusted-proxy': {
    type: 'string',
    value: 'ADDRESS',
    help: 'proxies that report the addresses of their clients (PROXY protocol or X-Forwarded-For): IP addresses and ranges, separated by commas',
  },
} as const;

/**
 * What the flags say of the load balancer; undefined if they name none.
 * @throws UsageError if a flag is not usable.
 */
export function proxyOf(flags: GivenFlags): ProxySettings | undefined {
  const [publicUrl, proxies] = [flags.text('public-url')?.trim(), flags.text('trusted-proxy')];
  if ((publicUrl ?? proxies) === undefined) return undefined;
  if (publicUrl !== undefined && !(/^https?:/.test(publicUrl) && isOrigin(publicUrl)))
    throw new UsageError(
      `--public-url takes http://HOST or https://HOST, with a port but no path; it is ${JSON.stringify(publicUrl)}.`,
    );
  const trusted = (proxies ?? '').split(',').map((text) => text.trim());
  const wrong = proxies === undefined ? undefined : trusted.find((text) => !isAddressRange(text));
  if (wrong !== undefined)
    throw new UsageError(
      `--trusted-proxy takes IP addresses and ranges such as 10.0.0.0/24, separated by commas; "${wrong}" is none.`,
    );
  return { publicUrl: publicUrl ?? '', trusted: proxies === undefined ? [] : trusted };
}

/**
 * Notes in the terminal that this node has joined its cluster, with the number of the other nodes, and each time that the broker is
 * connected again, until the terminal ends. A node whose messages the broker refuses has not joined; its log says why.
 */
export async function noteJoined({ services }: Pick<Workbench, 'services'>, terminal: Terminal): Promise<void> {
  let state: 'out' | 'joined' | 'lost' = 'out';
  const look = async (): Promise<void> => {
    const { joined } = services.cluster.info();
    if (joined === undefined) state = 'out';
    else if (!joined.isConnected) state = state === 'out' ? 'out' : 'lost';
    else if (state === 'lost') {
      terminal.note(`toolwire: The broker of the cluster "${joined.name}" is connected again.\n`);
      state = 'joined';
    } else if (state === 'out' && !joined.isDenied && (await noteNodes(services, terminal))) state = 'joined';
  };
  await look();
  for await (const { topics } of services.workbench.follow(terminal.ended))
    if (topics.includes('cluster')) await look();
}

/** False if it has turned out meanwhile that this node has not joined. */
async function noteNodes(services: Workbench['services'], terminal: Terminal): Promise<boolean> {
  // The other nodes answer its first beat.
  await setTimeout(answersMs, undefined, { signal: terminal.ended }).catch(() => undefined);
  const { joined, nodes } = services.cluster.info();
  const [own, ...others] = nodes.filter(({ state }) => state !== 'lost').map(({ name }) => name);
  if (joined?.isConnected !== true || joined.isDenied || own === undefined || terminal.ended.aborted) return false;
  const count = others.length === 1 ? '1 other node' : `${others.length === 0 ? 'no' : others.length} other nodes`;
  terminal.note(
    `toolwire: Joined the cluster "${joined.name}" at ${joined.settings.url} as "${firstLine(own)}", with ${count}.\n`,
  );
  return true;
}

/** `toolwire history`: the calls that are kept, of all nodes. */
export const historyCommand: Command = {
  name: 'history',
  argument: { label: '[TEXT]', required: false },
  summary: 'List the latest calls, or those with TEXT in their name, arguments or result.',
  details:
    'Prints the start, outcome, duration, caller, name and arguments of each call, and the reason if it failed, within the width\n' +
    'of the terminal. In a cluster, all nodes are asked. Exit code 1 if one of them does not answer.',
  flags: {
    limit: { type: 'string', value: 'N', help: 'calls to list, 1 to 500; by default 20' },
    json: { type: 'boolean', help: 'all fields, as JSON' },
    ...dataDirFlag,
  },
  run: ({ argument: text, flags, terminal }) =>
    withWorkbench({ flags, terminal }, async ({ client }) => {
      const limit = flags.number('limit', { min: 1, max: 500 }) ?? 20;
      const page = await latestCalls(client, { limit, ...(text !== undefined && { text }) });
      terminal.print(
        flags.isSet('json')
          ? `${JSON.stringify(await withReasons(client, page), null, 2)}\n`
          : historyText(page, terminal),
      );
      if (page.rows.length === 0) terminal.note('No call was found.\n');
      const missing = page.nodes.filter(({ answered }) => !answered).map(({ name }) => firstLine(name));
      const answered = page.nodes.length - missing.length;
      if (page.nodes.length > 1)
        terminal.note(
          `${answered} of ${page.nodes.length} nodes answered${missing.length > 0 ? `; not ${missing.join(', ')}` : ''}.\n`,
        );
      return missing.length === 0 ? exitCodes.ok : exitCodes.failed;
    }),
};

/** Calls are found in the order in which they ended: one that began later may be among so many further ones. */
const spare = 100;

/** The calls that began last. */
async function latestCalls(client: Client, { limit, ...query }: CallSearch & { limit: number }): Promise<CallPage> {
  const wanted = limit + spare;
  let page = await client.calls.search({ ...query, limit: Math.min(wanted, 500) });
  const { nodes } = page;
  const rows = [...page.rows];
  while (page.next !== undefined && rows.length < wanted) {
    page = await client.calls.search({ ...query, limit: Math.min(wanted - rows.length, 500), before: page.next });
    rows.push(...page.rows);
  }
  return { rows: rows.sort((one, other) => other.startedAt - one.startedAt).slice(0, limit), nodes };
}

/** Calls that are read at once: each may have a result of megabytes. */
const batch = 10;

/** With the whole text of each failure that this node has. */
async function withReasons(client: Client, { rows, ...page }: CallPage): Promise<CallPage> {
  const whole = async (row: HistoryFound): Promise<HistoryFound> => {
    if (row.errorCode === undefined || row.node?.isHere === false) return row;
    const { result } = await client.calls.get({ callId: row.callId });
    return { ...row, result: result?.result ?? row.result };
  };
  const read: HistoryFound[] = [];
  while (read.length < rows.length)
    read.push(...(await Promise.all(rows.slice(read.length, read.length + batch).map(whole))));
  return { ...page, rows: read };
}

function callerText({ origin, host }: HistoryFound): string {
  if (host !== undefined) return `from ${origin === 'app' ? 'the App of ' : ''}${host}`;
  return origin === 'executor' ? 'from the Executor' : callerWords[origin];
}

/** A row for each call, and below it the reason if it failed. */
function historyText({ rows }: CallPage, { columns }: Terminal): string {
  const isClustered = rows.some(({ node }) => node !== undefined);
  const cells = rows.map((row) => [
    new Date(row.startedAt).toISOString(),
    verdictWords[verdictOfFound(row)],
    // The time of a call that was refused never began.
    row.status === 'error' && row.durationMs === 0 ? '–' : formatDuration(row.durationMs),
    ...(isClustered ? [row.node === undefined ? '' : `at ${row.node.name}`] : []),
    callerText(row),
    row.qualifiedName,
    row.args,
  ]);
  return textTable(cells, {
    columns,
    below: rows.map(({ errorCode, result }) =>
      errorCode === undefined ? [] : [cutTo(`${errorCode}: ${messageLine(result)}`, columns && columns - 2)],
    ),
  });
}
