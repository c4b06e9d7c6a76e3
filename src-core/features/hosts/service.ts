import { randomUUID } from 'node:crypto';

import * as z from 'zod';

import {
  hostScope,
  type ChosenTools,
  type hosts as hostsContract,
  type HostScope,
  type HostsState,
} from '../../contract/hosts.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { countTokens } from '../../base/countTokens.ts';
import { resolveTimeout } from '../../engine/executor.ts';
import { createCallQuestions } from '../calls/callQuestions.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import { parseMessage } from '../../mcp/readMessages.ts';
import type { Servers } from '../servers/service.ts';
import { chooseTools, nothingChosen, renameChosen, sourceOf } from './chosenTools.ts';
import { confirmHostCall } from './confirmHostCall.ts';
import { curlCall } from './curlCall.ts';
import { connectTexts, type ConnectFacts, type ToolwireCommand } from './connectTexts.ts';
import type { DevicePictures } from './deviceResources.ts';
import { createExportedNames } from './exportedNames.ts';
import { createExportedTools, type ExportedTool } from './exportedTools.ts';
import type { ToolScope } from './offered.ts';
import { createHostBook } from './hostBook.ts';
import { createHostCounts } from './hostCounts.ts';
import { createHostLog } from './hostFrames.ts';
import { findingsOf } from './hostLimits.ts';
import type { CallingHost, HostOffer, HostOffered } from './hostServer.ts';
import { routeHosts } from './hostRoutes.ts';
import { createHostTokens } from './hostTokens.ts';
import { createKeptBlocks, joinResources } from './keptBlocks.ts';
import { offerBesides } from './offerBesides.ts';
import { servePipe, type MessagePipe } from './pipe.ts';
import { createRegistryOffer } from './registryOffer.ts';
import { writeConfig } from './writeConfig.ts';

interface HostsDeps extends FeatureContext {
  calls: Calls;
  devices: Devices;
  frames: FrameLog;
  servers: Servers;
  pictures: DevicePictures;
  /** The number of open windows, which can be asked. */
  windows: () => number;
  /** By default, by its name. */
  command?: ToolwireCommand | undefined;
  /** The data directory, if it is not the usual one. */
  dataDir?: string | undefined;
}

/** Devices that the instructions name; a host has a bound on their length. */
const maxNamed = 50;

/** What a program that starts `toolwire mcp` asks to be offered. */
const pipeOffered = z.strictObject({ scope: hostScope, finds: z.boolean() });

/** Serves our tools to MCP hosts: at `/mcp` with a token, and over the pipe of `toolwire mcp`. */
export function openHosts(context: HostsDeps) {
  const { toolRegistryManager, events, settings, clock, onError, calls, devices, windows, dataDir } = context;
  const { command = { text: 'toolwire', words: ['toolwire'] } } = context;
  const store = context.store.settings;
  const { listener, listenerFacts, ownNames } = devices;
  const onChange = (): void => void events.emit('changed', 'hosts');
  const tokens = createHostTokens({ store, onError });
  const book = createHostBook({ tokens, clock, onChange });
  const log = createHostLog({ frames: context.frames, wire: context.store.wire, clock });
  const counts = createHostCounts();
  const questions = createCallQuestions({ clock, toolRegistryManager, onChange });
  const common = {
    toolRegistryManager,
    names: createExportedNames({ store, onError }),
    policy: () => {
      const { toolCallConfig, dangerousTools } = settings();
      return { config: toolCallConfig, dangerousTools };
    },
    clock,
  };
  const tools = createExportedTools({ ...common, consumer: 'host' });
  /** The tools for agents of devices, of which the user chooses single ones. */
  const everyTool = createExportedTools({ ...common, consumer: 'device' });
  const exported = [tools, everyTool];
  events.on('consumersChanged', (source, consumers) => {
    for (const each of exported) each.setConsumers(source, consumers);
  });
  events.on('settingsChanged', ({ isOf }) => {
    if (isOf('toolCallConfig', 'dangerousTools')) for (const each of exported) each.changed();
  });
  const pipes = new Map<() => void, CallingHost>();

  function offerOf(scope: ToolScope, offered: () => HostOffered): HostOffer {
    // A host can read only the pictures of its own calls.
    const { keep, resources } = createKeptBlocks();
    const own = chooseTools(tools, () => chosenOf(offered().scope));
    const besides = offerBesides({ ...context, tools: own, chosen: () => chosenOf(offered().scope), scope });
    return createRegistryOffer({
      ...callOptions,
      ...besides,
      resources: joinResources(besides.resources, resources),
      keep,
      tools: own,
      scope,
      finds: () => offered().finds,
      instructions: () => notOffered(scope) ?? instructionsFor(own.list(scope), offered().finds),
    });
  }

  const callOptions = {
    clock,
    counts,
    execution: (caller, name) => ({
      toolRegistryManager,
      ...calls.policy(),
      ...book.follow(caller, name, calls.follow('host', { host: caller.name })),
      onError,
    }),
    confirm(pending, asked) {
      book.asks(asked.caller, asked.toolName, pending);
      return confirmHostCall({ pending, ...asked, askWindow: windows() > 0 ? questions.ask : undefined });
    },
  } satisfies Partial<Parameters<typeof createRegistryOffer>[0]>;

  /** An address of a server that is not offered stays usable, as the user can offer the server meanwhile. */
  function notOffered(scope: ToolScope): string | undefined {
    if (scope === 'all' || scope.kind !== 'mcp') return undefined;
    const server = context.servers.kept(scope.id);
    if (server === undefined || server.consumers.includes('host')) return undefined;
    // No command: a host that can run it would offer the tools to itself.
    const remedy = 'Ask the user to tick Hosts in the tab Tools of the server.';
    return `The MCP server "${server.name}" is not offered to hosts, so nothing is listed here. ${remedy}`;
  }

  function instructionsFor(offered: readonly ExportedTool[], finds: boolean): string | undefined {
    const connected = offered.filter(({ source, departed }) => source.kind === 'device' && departed === undefined);
    const devices = [...new Map(connected.map((one) => [one.source.id, one])).values()];
    if (devices.length === 0) return undefined;
    const named = devices.slice(0, maxNamed);
    const lines = named.map(({ source, tool }) => `- ${source.label}: for example ${tool.name}`);
    if (devices.length > maxNamed) lines.push(`- and ${devices.length - maxNamed} more`);
    const search = finds ? ' Find it with find_tool, and call it with call_tool.' : '';
    return `These devices are connected. Each tool belongs to one of them.${search}\n${lines.join('\n')}`;
  }

  const offeredTo = (id: string): HostOffered =>
    tokens.list().find((host) => host.id === id) ?? { scope: { kind: 'chosen', chosen: nothingChosen }, finds: false };
  const routes = routeHosts({
    context,
    listener,
    ownNames,
    tokens,
    serverIdOf: (id) => context.servers.kept(id)?.id,
    offerOf: (scope, id) => offerOf(scope, () => offeredTo(id)),
    onSeen: book.seen,
    onEnded: onChange,
    log,
  });

  function connectionsOf(id: string): number {
    return routes.connections(id) + [...pipes.values()].filter((caller) => caller.id === id).length;
  }

  function connectFacts(scope: HostScope, finds = false): ConnectFacts {
    const { port, otaUrls, otaUrl } = listenerFacts();
    // The address of this node for other machines, if they can use it: its tokens are its own.
    const origin = tokens.openToNetwork() ? new URL(otaUrls[0] ?? otaUrl).origin : `http://127.0.0.1:${port}`;
    const path =
      scope === 'all' || scope.kind === 'chosen'
        ? ''
        : `/${scope.kind === 'mcp' ? 'server' : 'device'}/${encodeURIComponent(scope.id)}`;
    return { url: `${origin}/mcp${path}`, command, dataDir, scope, finds };
  }

  function toolsIn(scope: HostScope): ExportedTool[] {
    const chosen = chooseTools(tools, () => chosenOf(scope));
    return chosen.list(scope === 'all' || scope.kind === 'chosen' ? 'all' : { kind: scope.kind, id: scope.id });
  }

  function renamed(scope: HostScope): HostScope {
    if (scope === 'all' || scope.kind !== 'chosen') return scope;
    return { ...scope, chosen: renameChosen(scope.chosen, tools.list('all')) };
  }

  function change(names: () => void): void {
    names();
    for (const each of exported) each.changed();
    onChange();
  }

  const service = {
    state: (): HostsState => ({
      url: connectFacts('all').url,
      listening: listener.info().listening,
      openToNetwork: tokens.openToNetwork(),
      hosts: book.rows(connectionsOf).map((row) => ({
        ...row,
        scope: renamed(row.scope),
        tools: toolsIn(row.scope).length,
      })),
      questions: questions.list(),
      tools: tools.list('all').length,
    }),
    create({ finds = false, ...host }) {
      const created = tokens.create({ ...host, finds }, clock.wall());
      onChange();
      return created;
    },
    change({ id, ...offered }) {
      if (!tokens.change(id, offered)) throw new RequestError(localize('hosts.unknown'), { field: 'id' });
      routes.endOutside(id, offered.scope);
      tools.changed();
      onChange();
    },
    async revoke({ id }) {
      const hadToken = tokens.revoke(id);
      const isKnown = hadToken || [...pipes.values()].some((caller) => caller.id === id);
      if (!isKnown) throw new RequestError(localize('hosts.unknown'), { field: 'id' });
      routes.endHost(id);
      for (const [close, caller] of pipes) if (caller.id === id) close();
      if (hadToken) await log.forget(id);
      onChange();
    },
    setOpenToNetwork({ open }) {
      tokens.setOpenToNetwork(open);
      if (!open) routes.endRemote();
      onChange();
    },
    calls: ({ id }) => book.calls(id),
    tools({ scope }) {
      const policy = calls.policy();
      return toolsIn(scope).map(({ tool, registryId, methodName, source, departed }, place) => ({
        name: tool.name,
        methodName,
        description: tool.description ?? '',
        qualifiedName: `${registryId}_${methodName}`,
        source: sourceOf({ source }),
        sourceLabel: source.label,
        alias: common.names.alias({ source, registryId }),
        tokens: countTokens(JSON.stringify(tool)),
        absent: departed !== undefined,
        asksFirst: tool.annotations?.destructiveHint === true,
        readOnly: tool.annotations?.readOnlyHint === true,
        findings: findingsOf(tool, { place, timeoutMs: resolveTimeout(`${registryId}_${methodName}`, policy) }),
      }));
    },
    rename({ name, to }) {
      const tool = tools.find('all', name);
      if (tool === undefined) throw new RequestError(localize('hosts.toolUnknown', { name }), { field: 'name' });
      change(() => common.names.rename(tool, to));
    },
    setAlias({ source, alias }) {
      const [tool] = toolsIn({ kind: 'chosen', chosen: { ...nothingChosen, sources: [source] } });
      if (tool === undefined) throw new RequestError(localize('hosts.sourceUnknown', { source }), { field: 'source' });
      change(() => common.names.setAlias(tool, alias));
    },
    curl({ toolName, argsJson }) {
      const found = tools.list('all').find((one) => `${one.registryId}_${one.methodName}` === toolName);
      if (found === undefined)
        throw new RequestError(localize('hosts.toolUnknown', { name: toolName }), { field: 'toolName' });
      return { text: curlCall({ url: connectFacts('all').url, tool: found.tool, argsJson }) };
    },
    connectTexts: ({ scope, finds }) => connectTexts(connectFacts(scope, finds)),
    writeConfig: ({ program, scope = 'all', finds }) => ({ file: writeConfig(program, connectFacts(scope, finds)) }),
    decide: (decision) => questions.decide(decision),
    attend: ({ callId }) => questions.attend(callId),
  } satisfies Implementation<typeof hostsContract>;
  return {
    service,
    questions,
    /** Serves tools to the host at the other end of a pipe: those that `asked` selects, as JSON. */
    servePipe(pipe: MessagePipe, asked: string): void {
      const { data: offered, error } = pipeOffered.safeParse(parseMessage(asked));
      if (offered === undefined) {
        onError(error, 'what a host at `toolwire mcp` asks for');
        return pipe.close();
      }
      const caller: CallingHost = { id: 'stdio:', name: 'A host at toolwire mcp', offered, connection: randomUUID() };
      const close = servePipe({
        pipe,
        offer: offerOf('all', () => offered),
        caller,
        clock,
        log,
        onSeen(client) {
          // A host that starts again is the same one.
          const { name } = client;
          if (name !== undefined) Object.assign(caller, { id: `stdio:${name.slice(0, 100)}`, name });
          book.seen(caller, client);
        },
        onClose() {
          pipes.delete(close);
          onChange();
        },
        onError,
      });
      pipes.set(close, caller);
    },
    log,
    /** The tools for agents of devices, under their exported names. */
    everyTool: () => everyTool.list('all'),
    /** Offers chosen tools to a client that is no host, such as an endpoint. */
    offerChosen: (chosen: () => ChosenTools): HostOffer =>
      createRegistryOffer({ ...callOptions, tools: chooseTools(everyTool, chosen), scope: 'all' }),
    async close(): Promise<void> {
      for (const close of pipes.keys()) close();
      await routes.close();
      for (const each of exported) each.close();
      tokens.save();
    },
  };
}

/** The selection of a scope; a whole device or server is a separate scope. */
function chosenOf(scope: HostScope): ChosenTools {
  return scope !== 'all' && scope.kind === 'chosen' ? scope.chosen : { ...nothingChosen, all: true };
}

/** The MCP hosts of a workbench, as other features use them. */
export type Hosts = Pick<ReturnType<typeof openHosts>, 'everyTool' | 'offerChosen' | 'log'>;
