import { isJsonObject } from '../../base/json.ts';
import { localize } from '../../base/messages/localize.ts';
import type { ServerDetail, ServerRow } from '../../contract/servers.ts';
import type { ServerToolView } from '../../contract/serverTools.ts';
import type { ListedTool } from '../../mcp/types.ts';
import { unknownType } from '../../schema/unknownType.ts';
import type { ExpandedEndpoint } from './configFiles/expandEndpoint.ts';
import { placeOf } from './configFiles/secretParts.ts';
import { silentUntil, type LiveServer } from './liveServer.ts';
import type { KeptServer } from './serverBook.ts';
import { taskSupportOf } from './serverTools.ts';

/** A server in the list. */
export function rowOf(kept: KeptServer, server: LiveServer): ServerRow {
  const { id, name, registryId, config } = kept;
  const { state, failure, retryAt, since, revision, connection } = server;
  const step = server.steps.pending;
  const place = config.type === 'stdio' ? { ...config, env: {} } : { ...config, headers: {} };
  return {
    id,
    name,
    type: config.type,
    place: placeOf({ ...kept, config: place }).slice(0, 2_000),
    state,
    ...(step !== undefined && { step }),
    ...(failure !== undefined && { failure }),
    ...(retryAt !== undefined && { retryAt }),
    since,
    ...(revision !== undefined && { revision }),
    ...(connection !== undefined && { era: connection.era }),
    counts: server.listed.counts,
    changedTools: server.listed.changes.length,
    consumers: kept.consumers,
    registryId,
  };
}

/** The chosen server. `others` are the names of other servers' tools. */
export function detailOf(
  server: KeptServer,
  live: LiveServer,
  others: ReadonlySet<string>,
  { endpoint, variables }: ExpandedEndpoint,
): ServerDetail {
  const withheld = new Set(live.listed.changes.map(({ tool }) => tool));
  const { id, name, config, era } = server;
  const named = (names: string[]) => names.map((each) => ({ name: each }));
  const { connection } = live;
  const until = silentUntil(server, endpoint);
  return {
    id,
    config:
      config.type === 'stdio'
        ? {
            name,
            type: config.type,
            command: config.command,
            args: config.args,
            env: named(config.envNames),
            ...(config.cwd !== undefined && { cwd: config.cwd }),
            ...(era && { era }),
          }
        : {
            name,
            type: config.type,
            url: config.url,
            headers: named(config.headerNames),
            ...(config.signIn && { signIn: config.signIn }),
            ...(era && { era }),
          },
    variables,
    ...(until > 0 && { silentUntil: until }),
    steps: live.steps.list(server.config.type),
    ...(connection?.serverInfo && { serverInfo: connection.serverInfo }),
    ...(connection?.pid !== undefined && { pid: connection.pid }),
    ...(live.steps.startMs !== undefined && { startMs: live.steps.startMs }),
    ...(live.steps.junkLines > 0 && { junkLines: live.steps.junkLines }),
    tools: live.listed.tools.map((tool) => ({
      ...viewOf(tool, withheld.has(tool.name)),
      ...live.listed.warningsOf(tool.name, others),
    })),
    faults: live.listed.faults.map(({ name = '', index, code }) =>
      localize(`servers.fault.${code}`, { name, place: index + 1 }),
    ),
    can: { complete: live.can('completions'), subscribe: live.can('resources', 'subscribe'), log: live.can('logging') },
    logLevel: server.logLevel,
    subscriptions: live.subscriptions.list(),
    roots: server.roots,
    sampling: server.sampling,
  };
}

function viewOf(tool: ListedTool, isWithheld: boolean): ServerToolView {
  const { name, title, description, inputSchema, annotations } = tool;
  const taskSupport = taskSupportOf(tool);
  const badType = unknownType(inputSchema);
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    parameters: parameterCount(inputSchema),
    ...(annotations && { annotations }),
    ...(isWithheld && { withheld: true as const }),
    ...(taskSupport && { taskSupport }),
    ...(badType !== undefined && { unknownType: badType }),
  };
}

function parameterCount(schema: unknown): number {
  const properties = isJsonObject(schema as never) ? (schema as { properties?: object }).properties : undefined;
  return properties === undefined ? 0 : Object.keys(properties).length;
}
