import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { ServerConfig, ServerRoot, servers as serversContract } from '../../contract/servers.ts';
import { hasAuthorization } from '../../mcp/describeFailure.ts';
import type { McpConnection, Root } from '../../mcp/types.ts';
import { logIdOf } from '../../store/frameTypes.ts';
import type { FeatureContext } from '../context.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import { createMcpFrames } from '../frames/mcp/mcpFrames.ts';
import type { Calls } from '../calls/service.ts';
import type { Models } from '../models/service.ts';
import type { Trash } from '../trash/open.ts';
import { createConformance, type SuiteTarget } from './conformance/conformance.ts';
import { offerOf } from './conformance/scenarios.ts';
import { approvalOf, consentFacts, consentSheet, missingIn, type Approval } from './consent.ts';
import { createApps } from './apps.ts';
import { answerOf } from './failureMessage.ts';
import { createPins } from './pins.ts';
import { createOffers } from './offers.ts';
import { LiveServer } from './liveServer.ts';
import { detailOf, rowOf } from './serverViews.ts';
import { createSignIns } from './signIn.ts';
import { isOtherSignIn } from './signInSettings.ts';
import { createSignInTimelines } from './signInTimeline.ts';
import { ServerBook, type KeptServer } from './serverBook.ts';
import { createSecretMask, type StartTarget } from './serverSecrets.ts';
import { createServerRequests } from './serverRequests.ts';
import { createServerTrash } from './serverTrash.ts';
import { createChangeCheck, readChange, type ChangedEntry } from './sourceFile.ts';
import { createTransfer, sourceOf, toConfig } from './transfer.ts';

/** MCP servers as a source of tools. Each start is of a configuration that the user has approved. */
export function openServers({
  store: { settings: store, wire, history },
  secrets,
  toolRegistryManager,
  events,
  clock,
  onError,
  frames,
  models,
  calls,
  closing,
  trash: { bin },
}: FeatureContext & {
  calls: Pick<Calls, 'policy' | 'follow' | 'resumeTasks' | 'dropTasks'>;
  frames: FrameLog;
  models: Pick<Models, 'modelOf'>;
  trash: { bin: Pick<Trash['bin'], 'handle' | 'has' | 'put' | 'list' | 'discard'> };
}) {
  const onChange = (): void => void events.emit('changed', 'servers');
  const isTaken = (id: string): boolean => toolRegistryManager.getTool(id) !== undefined;
  const book = new ServerBook({ store, secrets, isTaken, onError, isRemoved: (id) => bin.has('server', id) });
  const pins = createPins({ store, onError });
  const requests = createServerRequests({ clock, onChange, models });
  const timelines = createSignInTimelines({ store, clock, onChange, onError });
  const signIns = createSignIns({ secrets, requests, clock, timelines });
  const removed = createServerTrash({ book, bin, pins, signIns, timelines, frames, wire });
  /** What is approved until the workbench closes. */
  const approvedOnce = new Map<string, Approval>();
  const live = new Map<string, LiveServer>();
  /** Servers that are being removed. */
  const leaving = new Set<Promise<void>>();
  const isFileChanged = createChangeCheck();

  function liveOf(id: string): LiveServer {
    const known = live.get(id);
    if (known !== undefined) return known;
    const made = new LiveServer({
      clock,
      closing,
      frames: (mask) => createMcpFrames({ frames, clock, source: 'mcp', connection: id, mask }),
      toolRegistryManager,
      handlers() {
        const server = book.get(id);
        return {
          elicit: (...asked) => requests.elicit(server, ...asked),
          ...(server.sampling && { sample: (...asked) => requests.sample(book.get(id), ...asked) }),
          ...(server.roots.length > 0 && { listRoots: () => Promise.resolve(book.get(id).roots as Root[]) }),
        };
      },
      kept: () => book.get(id),
      check: (tools) => pins.check(id, tools),
      async signIn(endpoint, of) {
        if (endpoint.type !== 'http' && endpoint.type !== 'sse') return undefined;
        if (hasAuthorization(endpoint)) return undefined;
        return signIns.begin(book.get(id), endpoint, of);
      },
      onChange,
      onResult: (...given) => apps.keepResult(...given),
      onReady: () => calls.resumeTasks(id),
      onRetry: () => void retry(id).catch((error: unknown) => onError(error, 'an MCP server')),
      onError,
    });
    live.set(id, made);
    return made;
  }

  /** The names of the tools of all other servers. */
  function toolsBeside(id: string): ReadonlySet<string> {
    return new Set([...live].filter(([each]) => each !== id).flatMap(([, { tools }]) => tools.map(({ name }) => name)));
  }

  function isApproved({ id, approved }: KeptServer, fingerprint: string): boolean {
    return [approvedOnce.get(id), approved].some((each) => each?.fingerprint === fingerprint);
  }

  /** The endpoint to start, if exactly this is approved; undefined if the user must be asked. */
  async function approvedTarget(server: KeptServer): Promise<StartTarget | undefined> {
    const expanded = await book.expand(server);
    const { fingerprint } = await consentFacts(expanded);
    if (
      !isApproved(server, fingerprint) ||
      missingIn(expanded).length > 0 ||
      (await fileChangeOf(server.id)) !== undefined
    )
      return undefined;
    return { endpoint: expanded.endpoint, mask: createSecretMask(expanded.endpoint, expanded.values) };
  }

  /** The current entry in the file that it was imported from, if it differs. */
  async function fileChangeOf(id: string): Promise<ChangedEntry | undefined> {
    const { file } = (await book.sourceOf(id)) ?? {};
    return file && readChange(file);
  }

  async function start(id: string): Promise<void> {
    const server = book.get(id);
    const running = liveOf(id);
    const stopped = running.stop();
    const { turn } = running;
    await stopped;
    const target = await approvedTarget(server);
    // It was stopped, started again or removed meanwhile.
    if (live.get(id) !== running || running.turn !== turn) return;
    if (target === undefined) running.ask();
    else {
      describeLog(server);
      running.start(server, target);
    }
  }

  /** The facts of its log, which outlives it. */
  function describeLog({ id, name }: KeptServer): void {
    const now = clock.wall();
    const log = logIdOf({ source: 'mcp', connection: id });
    frames.about({ id: log, deviceId: id, name, virtual: false, connectedAt: now, lastSeenAt: now });
  }

  async function retry(id: string): Promise<void> {
    const server = book.get(id);
    const running = liveOf(id);
    const { turn } = running;
    const target = await approvedTarget(server);
    if (live.get(id) !== running || running.turn !== turn) return;
    if (target === undefined) running.ask();
    else running.retry(server, target);
  }

  async function add(servers: Parameters<ServerBook['add']>[0]): Promise<string[]> {
    const ids = await book.add(servers);
    for (const id of ids) liveOf(id).ask();
    return ids;
  }

  /** Restarts it if it runs or waits for the user, because its configuration has changed. */
  async function restart(id: string): Promise<void> {
    if (liveOf(id).state === 'stopped') onChange();
    else await start(id);
  }

  function connectionOf(id: string): McpConnection {
    const { name } = book.get(id);
    const connection = live.get(id)?.connection;
    if (connection === undefined) throw new RequestError(localize('servers.notReady', { name }));
    return connection;
  }

  /** Of the last lists of a server that is ready. */
  async function prepareSuite(id: string): Promise<SuiteTarget> {
    const connection = connectionOf(id);
    const kept = book.get(id);
    const target = await approvedTarget(kept);
    if (target === undefined) throw new RequestError(localize('servers.notReady', { name: kept.name }));
    const server = liveOf(id);
    // A server is ready before all of its lists are read. One that cannot be read counts as empty.
    const listed = async (kind: keyof LiveServer['lists']) => (await server.readings[kind]?.catch(() => [])) ?? [];
    const lists = {
      resources: await listed('resources'),
      templates: await listed('templates'),
      prompts: await listed('prompts'),
    };
    const { authProvider, maskOwn: mask } = server;
    return {
      ...target,
      mask,
      authProvider,
      offer: offerOf(target.endpoint, connection.capabilities, { tools: server.tools, lists }),
    };
  }
  const conformance = createConformance({ store, clock, closing, prepare: prepareSuite, onChange, onError });

  const apps = createApps({
    book,
    connectionOf,
    liveOf,
    toolRegistryManager,
    calls,
    history,
    clock,
    onChange,
    onError,
  });
  const service: Implementation<typeof serversContract> = {
    ...createOffers({ connectionOf, liveOf }),
    list: () => book.list().map((server) => rowOf(server, liveOf(server.id))),
    async detail({ id }) {
      const server = book.get(id);
      const { file } = (await book.sourceOf(id)) ?? {};
      return {
        ...detailOf(server, liveOf(id), toolsBeside(id)),
        variables: (await book.expand(server)).variables,
        ...(file && { file: { path: file.path, changed: isFileChanged(file) } }),
        ...((await signIns.isSignedIn(id)) && { signedIn: true }),
      };
    },
    async add(config) {
      const [id = ''] = await add([{ config }]);
      return { id };
    },
    async change({ id, config }) {
      const before = book.get(id).config;
      await book.change(id, config);
      if (isOtherSignIn('signIn' in before ? before : {}, config)) await signIns.forget(id, { binding: true });
      await restart(id);
    },
    async setValues({ id, values }) {
      await book.give(id, values);
      await restart(id);
    },
    async settleFile({ id, hash, take }) {
      const { name, config } = book.get(id);
      const changed = await fileChangeOf(id);
      if (changed?.change.hash !== hash) throw new RequestError(localize('servers.changedMeanwhile', { name }));
      const { server, change } = changed;
      // A file contains nothing about the sign-in.
      const signIn = 'signIn' in config && server.config.type !== 'stdio' ? { signIn: config.signIn } : {};
      const taken = { ...toConfig(server), name, ...signIn } as ServerConfig;
      if (take) await book.change(id, taken, sourceOf(server, change.path));
      else await book.noteFile(id, { path: change.path, server });
      await restart(id);
    },
    remove({ id }) {
      const leaves = removed.remove(id, async () => {
        const running = live.get(id);
        live.delete(id);
        approvedOnce.delete(id);
        await running?.stop();
        await conformance.forget(id);
        await calls.dropTasks(id);
        events.emit('consumersChanged', { kind: 'mcp', id }, []);
      });
      leaving.add(leaves);
      return leaves.finally(() => leaving.delete(leaves));
    },
    start: ({ id }) => start(id),
    async stop({ id }) {
      book.get(id);
      await liveOf(id).stop();
    },
    async signOut({ id }) {
      book.get(id);
      await liveOf(id).stop();
      await signIns.forget(id);
    },
    signIn: ({ id }) => signIns.view(book.get(id).id),
    async reload({ id }) {
      connectionOf(id);
      await liveOf(id).reload();
      toolRegistryManager.notifyChanged(book.get(id).registryId);
    },
    async consent({ id }) {
      const server = book.get(id);
      const fileChange = (await fileChangeOf(id))?.change;
      const approved = approvedOnce.get(id) ?? server.approved;
      return { ...(await consentSheet(await book.expand(server), approved)), ...(fileChange && { fileChange }) };
    },
    async approve({ id, fingerprint, always }) {
      const server = book.get(id);
      const expanded = await book.expand(server);
      const now = await approvalOf(expanded);
      if (now.fingerprint !== fingerprint || (await fileChangeOf(id)) !== undefined)
        throw new RequestError(localize('servers.changedMeanwhile', { name: server.name }));
      const missing = missingIn(expanded);
      if (missing.length > 0) {
        const variables = missing.map(({ written }) => written).join(', ');
        throw new RequestError(localize('servers.noValue', { name: server.name, variables }));
      }
      // A server that runs, or starts, with this approval is not restarted.
      const keepsRunning = ['starting', 'ready'].includes(liveOf(id).state) && isApproved(server, fingerprint);
      if (always) book.approve(id, now);
      else approvedOnce.set(id, now);
      if (!keepsRunning) await start(id);
    },
    async decline({ id }) {
      book.approve(id, undefined);
      approvedOnce.delete(id);
      await liveOf(id).stop();
    },
    setConsumers({ id, consumers }) {
      book.set(id, { consumers });
      toolRegistryManager.notifyChanged(book.get(id).registryId);
      events.emit('consumersChanged', { kind: 'mcp', id }, consumers);
      onChange();
    },
    definitionChanges: ({ id }) => [...liveOf(book.get(id).id).changes],
    acceptDefinitions({ id, tools }) {
      const { registryId } = book.get(id);
      const server = liveOf(id);
      pins.accept(id, server.tools, tools);
      server.checkDefinitions();
      toolRegistryManager.notifyChanged(registryId);
      onChange();
    },
    async setRoots({ id, roots }) {
      const before = book.get(id).roots;
      book.set(id, { roots: roots.map(toRoot) });
      const { connection, isUp } = liveOf(id);
      onChange();
      const isDeclared = before.length > 0 && roots.length > 0;
      if (isDeclared && connection) await answerOf(connection.sendRootsChanged(), (text) => liveOf(id).mask(text));
      else if (!isDeclared && isUp && before.length !== roots.length) await start(id);
    },
    async setSampling({ id, allowed }) {
      const before = book.get(id).sampling;
      book.set(id, { sampling: allowed });
      if (before !== allowed && liveOf(id).isUp) await start(id);
      onChange();
    },
    draftReply: ({ requestId, model }, signal) => requests.draftReply(requestId, model, signal),
    async setLogLevel({ id, level }, signal = new AbortController().signal) {
      book.set(id, { logLevel: level });
      onChange();
      const { connection } = liveOf(id);
      if (connection) await answerOf(connection.setLogLevel(level, signal), (text) => liveOf(id).mask(text));
    },
    log: ({ id }) => [...liveOf(book.get(id).id).log],
    requests: () => requests.list(),
    answer: ({ requestId, ...answer }) => requests.answer(requestId, answer),
    ...createTransfer({ book, add }),
  };

  return {
    service,
    conformance: conformance.service,
    apps,
    /** A connected server that is offered to hosts, and what it lists in addition to tools. */
    offeredToHosts(id: string): Pick<LiveServer, 'connection' | 'lists' | 'can'> | undefined {
      const server = live.get(id);
      const isOffered = server?.connection !== undefined && book.get(id).consumers.includes('host');
      return isOffered ? server : undefined;
    },
    async close(): Promise<void> {
      await conformance.close();
      await Promise.all([...live.values()].map((server) => server.stop()));
      await Promise.allSettled(leaving);
    },
  };
}

/** The MCP servers, as other features use them. */
export type Servers = Pick<ReturnType<typeof openServers>, 'offeredToHosts'>;

function toRoot({ uri: given, name }: ServerRoot): ServerRoot {
  const uri = isAbsolute(given) ? pathToFileURL(given).href : given;
  if (!URL.canParse(uri) || new URL(uri).protocol !== 'file:')
    throw new RequestError(localize('servers.badRoot', { root: given }), { field: 'roots' });
  return { uri, ...(name !== undefined && name !== '' && { name }) };
}
