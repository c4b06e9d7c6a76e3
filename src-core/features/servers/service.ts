import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { servers as serversContract } from '../../contract/servers.ts';
import type { McpConnection } from '../../mcp/types.ts';
import type { FeatureContext } from '../context.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Calls } from '../calls/service.ts';
import type { Models } from '../models/service.ts';
import type { Trash } from '../trash/open.ts';
import { createConformance, type SuiteTarget } from './conformance/conformance.ts';
import { offerOf } from './conformance/scenarios.ts';
import { createApps } from './apps.ts';
import { createPins } from './pins.ts';
import { createOffers } from './offers.ts';
import { Launcher } from './launcher.ts';
import type { LiveServer } from './liveServer.ts';
import { detailOf, rowOf } from './serverViews.ts';
import { createSignIns, type SignIns } from './signIn.ts';
import { createSignInTimelines } from './signInTimeline.ts';
import { ServerBook, type KeptServer } from './serverBook.ts';
import { createServerRequests } from './serverRequests.ts';
import { createServerSettings } from './serverSettings.ts';
import { createServerTrash } from './serverTrash.ts';
import { createChangeCheck } from './sourceFile.ts';
import { createTransfer } from './transfer.ts';

interface ServersContext extends FeatureContext {
  calls: Pick<Calls, 'policy' | 'follow' | 'resumeTasks' | 'dropTasks'>;
  frames: FrameLog;
  models: Pick<Models, 'modelOf'>;
  trash: { bin: Pick<Trash['bin'], 'handle' | 'has' | 'put' | 'list' | 'discard'> };
}

export { userOf } from './serverTools.ts';

/** MCP servers as a source of tools. Each start is of a configuration that the user has approved. */
export function openServers(context: ServersContext) {
  const { store, secrets, toolRegistryManager, events, clock, onError, models, calls, trash } = context;
  const onChange = (): void => void events.emit('changed', 'servers');
  const isTaken = (id: string): boolean => toolRegistryManager.getTool(id) !== undefined;
  const isRemoved = (id: string): boolean => trash.bin.has('server', id);
  const book = new ServerBook({ store: store.settings, secrets, isTaken, onError, isRemoved });
  const pins = createPins({ store: store.settings, onError });
  const requests = createServerRequests({ clock, onChange, models });
  const timelines = createSignInTimelines({ store: store.settings, clock, onChange, onError });
  const signIns = createSignIns({ secrets, requests, clock, timelines });
  const removed = createServerTrash({ ...context, book, pins, signIns, timelines });
  const isFileChanged = createChangeCheck();
  const parts = { ...context, book, requests, pins, signIns, onChange };
  const launcher = new Launcher({ ...parts, onResult: (...given) => apps.keepResult(...given) });
  const liveOf = (id: string): LiveServer => launcher.of(id);
  const connectionOf = (id: string): McpConnection => launcher.connectionOf(id);

  async function add(servers: Parameters<ServerBook['add']>[0]): Promise<string[]> {
    const ids = await book.add(servers);
    for (const id of ids) liveOf(id).ask();
    return ids;
  }

  const conformance = createConformance({
    ...parts,
    store: store.settings,
    prepare: async (id) => prepareSuite(book.get(id), launcher),
  });
  const apps = createApps({ ...parts, history: store.history, connectionOf, liveOf });
  const service: Implementation<typeof serversContract> = {
    ...createOffers({ connectionOf, liveOf }),
    ...createServerSettings({ ...parts, launcher }),
    ...createLifeCycle({ ...parts, launcher }),
    list: () => book.list().map((server) => rowOf(server, liveOf(server.id))),
    async detail({ id }) {
      const server = book.get(id);
      const { file } = (await book.sourceOf(id)) ?? {};
      return {
        ...detailOf(server, liveOf(id), launcher.toolsBeside(id), await book.expand(server)),
        ...(file && { file: { path: file.path, changed: isFileChanged(file) } }),
        ...((await signIns.isSignedIn(id)) && { signedIn: true }),
      };
    },
    async add(config) {
      const [id = ''] = await add([{ config, added: { how: 'by-hand', at: clock.wall() } }]);
      return { id };
    },
    remove: ({ id }) =>
      removed.remove(id, async () => {
        await launcher.drop(id);
        await conformance.forget(id);
        await calls.dropTasks(id);
        events.emit('consumersChanged', { kind: 'mcp', id }, []);
      }),
    draftReply: ({ requestId, model }, signal) => requests.draftReply(requestId, model, signal),
    log: ({ id }) => [...liveOf(book.get(id).id).log.lines],
    requests: () => requests.list(),
    answer: ({ requestId, ...answer }) => requests.answer(requestId, answer),
    ...createTransfer({ book, add, clock }),
  };

  return {
    service,
    conformance: conformance.service,
    apps,
    /** The server of this id, or of this id in the registry. */
    kept: (id: string) => book.find(id),
    /** A connected server that is offered to hosts, and what it lists in addition to tools. */
    offeredToHosts(id: string): Pick<LiveServer, 'connection' | 'listed' | 'can' | 'maskOwn'> | undefined {
      const server = launcher.find(id);
      return server?.connection && book.get(id).consumers.includes('host') ? server : undefined;
    },
    async close(): Promise<void> {
      await conformance.close();
      await launcher.stopAll();
      await removed.settled();
    },
  };
}

/** The MCP servers, as other features use them. */
export type Servers = Pick<ReturnType<typeof openServers>, 'offeredToHosts' | 'kept'>;

type LifeCycle = Pick<
  Implementation<typeof serversContract>,
  'start' | 'consent' | 'approve' | 'decline' | 'stop' | 'forgetSilence' | 'reload' | 'signIn' | 'signOut'
>;

/** Starts, stops and signs out servers at the request of the user. */
function createLifeCycle({
  launcher,
  book,
  signIns,
  onChange,
  toolRegistryManager,
}: {
  launcher: Launcher;
  book: ServerBook;
  signIns: SignIns;
  onChange: () => void;
  toolRegistryManager: ServersContext['toolRegistryManager'];
}): LifeCycle {
  const stop = async (id: string): Promise<void> => launcher.of(book.get(id).id).stop();
  return {
    start: ({ id }) => launcher.start(id),
    consent: ({ id }) => launcher.consent(id),
    approve: (given) => launcher.approve(given),
    decline: ({ id }) => launcher.decline(id),
    stop: ({ id }) => stop(id),
    forgetSilence({ id }) {
      book.set(book.get(id).id, { silent: undefined });
      onChange();
    },
    async reload({ id }) {
      launcher.connectionOf(id);
      await launcher.of(id).reload();
      toolRegistryManager.notifyChanged(book.get(id).registryId);
    },
    signIn: ({ id }) => signIns.view(book.get(id).id),
    async signOut({ id }) {
      await stop(id);
      await signIns.forget(id);
    },
  };
}

/** What the suite needs of the last lists of a server that is ready. */
async function prepareSuite(kept: KeptServer, launcher: Launcher): Promise<SuiteTarget> {
  const connection = launcher.connectionOf(kept.id);
  const target = await launcher.approvedTarget(kept);
  if (target === undefined) throw new RequestError(localize('servers.notReady', { name: kept.name }));
  const server = launcher.of(kept.id);
  // A server is ready before all of its lists are read. One that cannot be read counts as empty.
  const listed = async (kind: keyof LiveServer['listed']['lists']) =>
    (await server.listed.readings[kind]?.catch(() => [])) ?? [];
  const lists = {
    resources: await listed('resources'),
    templates: await listed('templates'),
    prompts: await listed('prompts'),
  };
  const { authProvider, maskOwn: mask } = server;
  const offer = offerOf(target.endpoint, connection.capabilities, { tools: server.listed.tools, lists });
  return { ...target, mask, authProvider, offer };
}
