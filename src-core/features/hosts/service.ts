import type { ChosenTools, hosts as hostsContract, HostsState } from '../../contract/hosts.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import { createCallQuestions } from '../calls/callQuestions.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Servers } from '../servers/service.ts';
import { chooseTools, nothingChosen } from './chosenTools.ts';
import { confirmHostCall } from './confirmHostCall.ts';
import { createConnectService } from './connectService.ts';
import type { ToolwireCommand } from './connectTexts.ts';
import type { DevicePictures } from './deviceResources.ts';
import { createHostBook } from './hostBook.ts';
import { createHostCounts } from './hostCounts.ts';
import { createHostLog } from './hostFrames.ts';
import { createHostOffers } from './hostOffers.ts';
import { createHostPipes } from './hostPipes.ts';
import type { HostOffer, HostOffered } from './hostServer.ts';
import { routeHosts } from './hostRoutes.ts';
import { createHostTokens } from './hostTokens.ts';
import { createHostTools } from './hostTools.ts';
import { createRegistryOffer, type RegistryOfferOptions } from './registryOffer.ts';

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

/** Serves our tools to MCP hosts: at `/mcp` with a token, and over the pipe of `toolwire mcp`. */
export function openHosts(context: HostsDeps) {
  const { toolRegistryManager, events, clock, onError, calls, devices, windows } = context;
  const onChange = (): void => void events.emit('changed', 'hosts');
  const tokens = createHostTokens({ store: context.store.settings, onError });
  const book = createHostBook({ tokens, clock, onChange });
  const log = createHostLog({ frames: context.frames, wire: context.store.wire, clock });
  const questions = createCallQuestions({ clock, toolRegistryManager, onChange });
  const hostTools = createHostTools({ ...context, onChange });
  const { tools, everyTool } = hostTools;
  const connect = createConnectService({ ...context, tokens, tools });
  const callOptions: Pick<RegistryOfferOptions, 'clock' | 'counts' | 'execution' | 'confirm'> = {
    clock,
    counts: createHostCounts(),
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
  };
  const offerOf = createHostOffers({ ...context, tools, callOptions });
  const offeredTo = (id: string): HostOffered =>
    tokens.list().find((host) => host.id === id) ?? { scope: { kind: 'chosen', chosen: nothingChosen }, finds: false };
  const routes = routeHosts({
    context,
    listener: devices.listener,
    ownNames: devices.ownNames,
    tokens,
    serverIdOf: (id) => context.servers.kept(id)?.id,
    offerOf: (scope, id) => offerOf(scope, () => offeredTo(id)),
    onSeen: book.seen,
    onEnded: onChange,
    log,
  });
  const pipes = createHostPipes({ offerOf: (offered) => offerOf('all', offered), book, clock, log, onChange, onError });

  const service = {
    state: (): HostsState => ({
      url: connect.url(),
      listening: devices.listener.info().listening,
      openToNetwork: tokens.openToNetwork(),
      hosts: book.rows((id) => routes.connections(id) + pipes.connections(id)).map(hostTools.addTools),
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
      if (!hadToken && pipes.connections(id) === 0) throw new RequestError(localize('hosts.unknown'), { field: 'id' });
      routes.endHost(id);
      pipes.end(id);
      if (hadToken) await log.forget(id);
      onChange();
    },
    setOpenToNetwork({ open }) {
      tokens.setOpenToNetwork(open);
      if (!open) routes.endRemote();
      onChange();
    },
    calls: ({ id }) => book.calls(id),
    ...hostTools.service,
    ...connect.service,
    decide: (decision) => questions.decide(decision),
    attend: ({ callId }) => questions.attend(callId),
  } satisfies Implementation<typeof hostsContract>;
  return {
    service,
    questions,
    servePipe: pipes.serve,
    log,
    /** The tools for agents of devices, under their exported names. */
    everyTool: () => everyTool.list('all'),
    /** Offers chosen tools to a client that is no host, such as an endpoint. */
    offerChosen: (chosen: () => ChosenTools): HostOffer =>
      createRegistryOffer({ ...callOptions, tools: chooseTools(everyTool, chosen), scope: 'all' }),
    async close(): Promise<void> {
      pipes.close();
      await routes.close();
      hostTools.close();
      tokens.save();
    },
  };
}

/** The MCP hosts of a workbench, as other features use them. */
export type Hosts = Pick<ReturnType<typeof openHosts>, 'everyTool' | 'offerChosen' | 'log'>;
