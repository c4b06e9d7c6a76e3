import { networkInterfaces } from 'node:os';

import { describeThrown } from '../../base/describeThrown.ts';
import type {
  gateway as gatewayContract,
  GatewayModelView,
  GatewayState,
  ResolvedSetting,
} from '../../contract/gateway.ts';
import type { GatewayTurnTrace } from '../../contract/gatewayTurns.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { ChatModel } from '../models/chatModel.ts';
import { createGateway, type Gateway } from './createGateway.ts';
import { environmentModel } from './environmentModel.ts';
import { resolveSettings, type ResolvedSettings } from './resolveSettings.ts';
import { readBaseUrl } from '../models/openAiCompatible/modelServer.ts';
import { isLoopback, urlHost } from '../../server/address.ts';
import { createListener } from '../../server/createListener.ts';
import { findFreePort } from '../../server/findFreePort.ts';
import { ListenError } from '../../server/listenError.ts';
import type { Listener } from '../../server/types.ts';
import { gatewayLogId } from '../../store/frameTypes.ts';
import { OneAfterAnother } from '../../base/oneAfterAnother.ts';
import { RequestError } from '../../base/requestError.ts';
import { boundTrace } from './boundTrace.ts';
import { createGatewayLog, type GatewayLog } from './gatewayLog.ts';
import { createCallQuestions, type CallQuestions } from '../calls/callQuestions.ts';
import { openTestClient, type OpenTestClient } from './gatewayTestClient.ts';
import {
  changedSettings,
  isOfTheCommand,
  isOfTheModel,
  loadKeptGateway,
  saveKeptGateway,
  type KeptGateway,
} from './keptGateway.ts';
import { networkAddresses } from '../devices/listener/networkAddresses.ts';
import type { Calls } from '../calls/service.ts';
import type { SessionNodes } from '../cluster/movedSession.ts';
import type { FeatureContext } from '../context.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Models } from '../models/service.ts';

/** Settings that are fixed when a gateway is made; changing them closes every connection. */
const madeWith = ['host', 'port', 'mcpEnabled', 'mcpServerName', 'mcpProtocolVersion'] as const;

type Context = FeatureContext & { frames: FrameLog; models: Models; calls: Calls; sessionNodes: SessionNodes };
type Configuration = Parameters<Implementation<typeof gatewayContract>['configure']>[0];

/** Opens the gateway of a workbench; `start` lets clients connect if it was on. */
export async function openGateway(context: Context) {
  const { store, frames, clock } = context;
  const gateway = new OpenGateway(context, await createGatewayLog({ wire: store.wire, frames, wall: clock.wall }));
  const service = {
    state: () => gateway.state(),
    setEnabled: ({ enabled }) => gateway.setEnabled(enabled),
    configure: (changed) => gateway.configure(changed),
    connections: () => gateway.running()?.connections() ?? [],
    turn: ({ id }) => ({ trace: gateway.turnOf(id) }),
    sessions: () => gateway.running()?.sessions() ?? [],
    sessionMessages: ({ id }) => gateway.required().sessionMessages(id),
    endSession: ({ id }) => gateway.required().endSession(id),
    disconnect: ({ id }) => gateway.required().disconnect(id),
    send: ({ id, text, ...options }) => gateway.required().send(id, text, options),
    decide: (decision) => gateway.questions.decide(decision),
    attend: ({ callId }) => gateway.questions.attend(callId),
    openTestClient: () => gateway.openTestClient(),
    closeTestClient: () => gateway.closeTestClient(),
    sendAsClient: ({ text }) => gateway.testClient().send(text),
    setTestTools: async ({ tools }) => ({ tools: await gateway.setTestTools(tools) }),
  } satisfies Implementation<typeof gatewayContract>;
  return { service, questions: gateway.questions, start: () => gateway.start(), close: () => gateway.close() };
}

/** The gateway of a workbench, which can be switched on and off, and its test client. */
class OpenGateway {
  readonly questions: CallQuestions;
  readonly #context: Context;
  readonly #log: GatewayLog;
  // One after the other: two at once would leak an open listener.
  readonly #steps = new OneAfterAnother();
  /** By the id of the connection. */
  readonly #lastTurns = new Map<string, GatewayTurnTrace>();
  #kept: KeptGateway;
  #resolved: ResolvedSettings;
  #chosen: ChosenModel;
  #running: { listener: Listener; gateway: Gateway; port: number; host: string } | undefined;
  #failure: Pick<GatewayState, 'error' | 'conflict'> = {};
  #testClient: OpenTestClient | undefined;
  #closed = false;

  constructor(context: Context, log: GatewayLog) {
    const { clock, toolRegistryManager, store, onError } = context;
    this.#context = context;
    this.#log = log;
    this.questions = createCallQuestions({ clock, toolRegistryManager, onChange: this.#onChange });
    this.#kept = loadKeptGateway(store.settings, (error) => onError(error, 'the settings of the gateway'));
    this.#resolved = this.#resolve();
    this.#chosen = this.#choose();
  }

  readonly #onChange = (): void => void this.#context.events.emit('changed', 'gateway');

  #resolve(): ResolvedSettings {
    // By default it listens on this machine only, unlike the headless gateway.
    return resolveSettings({ env: process.env, settings: this.#kept.settings, defaults: { host: '127.0.0.1' } });
  }

  #choose(): ChosenModel {
    return chooseModel({ models: this.#context.models, modelId: this.#kept.modelId, resolved: this.#resolved });
  }

  start(): Promise<void> {
    return this.#steps.run(async () => (this.#kept.enabled ? this.#open() : undefined));
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#steps.run(() => this.#shut());
  }

  setEnabled(enabled: boolean): Promise<GatewayState> {
    return this.#steps.run(async () => {
      this.#keep({ ...this.#kept, enabled });
      await (enabled ? this.#open() : this.#shut());
      return this.#toldOrThrown();
    });
  }

  configure({ settings = {}, modelId }: Configuration): Promise<GatewayState> {
    return this.#steps.run(async () => {
      const { modelId: former, ...rest } = this.#kept;
      if (typeof modelId === 'string') this.#context.models.modelOf(modelId);
      const nextModel = modelId === undefined ? former : (modelId ?? undefined);
      const next = {
        ...rest,
        settings: changedSettings(this.#kept.settings, settings),
        ...(nextModel !== undefined && { modelId: nextModel }),
      };
      this.#keep(next);
      const before = this.#resolved.values;
      this.#resolved = this.#resolve();
      this.#chosen = this.#choose();
      const mustMove = madeWith.some((key) => before[key] !== this.#resolved.values[key]);
      if (this.#kept.enabled && (mustMove || this.#running === undefined)) {
        await this.#shut();
        await this.#open();
      }
      if (before.offerOwnTools !== this.#resolved.values.offerOwnTools) this.#running?.gateway.announceTools();
      this.#onChange();
      return this.#toldOrThrown();
    });
  }

  #keep(next: KeptGateway): void {
    saveKeptGateway(this.#context.store.settings, next);
    this.#kept = next;
  }

  async #open(): Promise<void> {
    if (this.#running !== undefined || this.#closed) return;
    const { host, port } = this.#resolved.values;
    const { toolRegistryManager, clock, calls, onError } = this.#context;
    const listener = createListener({ host, port, onError: (error) => onError(error, 'the LLM gateway') });
    this.#failure = {};
    try {
      const bound = await listener.listen();
      const gateway = createGateway({
        listener,
        toolRegistryManager,
        clock,
        nodes: this.#context.sessionNodes,
        onChange: this.#onChange,
        onError,
        newConnectionId: this.#log.newConnectionId,
        settings: () => this.#resolved.values,
        model: () => this.#chosen.model(),
        callPolicy: () => ({ ...calls.policy(), ...calls.follow('gateway'), onBeforeExecute: this.questions.ask }),
        onFrame: (connectionId, frame) => {
          this.#log.add(connectionId, frame);
          this.#onChange();
        },
        onTurn: (connectionId, trace) => {
          const connected = new Set(gateway.connections().map(({ id }) => id));
          for (const id of this.#lastTurns.keys()) if (!connected.has(id)) this.#lastTurns.delete(id);
          this.#lastTurns.set(connectionId, this.#log.addTurn(connectionId, trace));
        },
      });
      this.#running = { listener, gateway, host, port: bound.port };
    } catch (error) {
      await listener.close();
      if (!(error instanceof ListenError)) throw error;
      const inUse = error.code === 'port-in-use';
      this.#failure = {
        error: error.message,
        ...(inUse && { conflict: { port, freePort: await findFreePort(host, port) } }),
      };
    } finally {
      this.#onChange();
    }
  }

  async #shut(): Promise<void> {
    const { listener, gateway } = this.#running ?? {};
    this.#running = undefined;
    this.#failure = {};
    this.#testClient?.close();
    await gateway?.close();
    await listener?.close();
    this.#onChange();
  }

  #toldOrThrown(): GatewayState {
    if (this.#failure.error !== undefined) throw new RequestError(this.#failure.error, { field: 'settings.port' });
    return this.state();
  }

  state(): GatewayState {
    const { host, port } = this.#running ?? this.#resolved.values;
    return {
      enabled: this.#kept.enabled,
      listening: this.#running !== undefined,
      host,
      port,
      urls: this.#running === undefined ? [] : urlsOf(host, port),
      hasLog: this.#context.frames.has(gatewayLogId),
      refusedPages: this.#running?.gateway.refusedPages() ?? [],
      openToNetwork: !isLoopback(host) && host !== 'localhost',
      ...this.#failure,
      model: this.#chosen.view(),
      settings: this.#shown(),
      ...(this.#testClient !== undefined && { testClient: this.#testClient.view() }),
      questions: this.questions.list(),
    };
  }

  /** Settings of the model are included only if they are used or invalid. Secrets are masked. */
  #shown(): GatewayState['settings'] {
    const isUsed = this.#chosen.view().origin === 'environment';
    return this.#resolved.list
      .filter(({ key }) => !isOfTheCommand(key))
      .filter(({ key, problem }) => isUsed || problem !== undefined || !isOfTheModel(key))
      .map((each) => (holdsSecret(each) ? { ...each, value: '***' } : each));
  }

  /** The gateway, if it is on. */
  running(): Gateway | undefined {
    return this.#running?.gateway;
  }

  /** @throws {RequestError} If it is off. */
  required(): Gateway {
    if (this.#running !== undefined) return this.#running.gateway;
    throw new RequestError('The gateway is off. Switch it on first.');
  }

  turnOf(id: string): GatewayTurnTrace | undefined {
    const trace = this.#running?.gateway.turnOf(id);
    return trace === undefined ? this.#lastTurns.get(id) : boundTrace(trace);
  }

  openTestClient(): Promise<{ connectionId: string }> {
    return this.#steps.run(async () => {
      const { connections } = this.required();
      const { host, port } = this.#running ?? this.#resolved.values;
      this.#testClient ??= await openTestClient({
        url: `ws://${urlHost(isAnyAddress(host) ? '127.0.0.1' : host)}:${port}`,
        connectionOf: (userAgent) => connections().find((each) => each.userAgent === userAgent)?.id,
        onClose: () => {
          this.#testClient = undefined;
          this.#onChange();
        },
      });
      this.#onChange();
      return { connectionId: this.#testClient.connectionId };
    });
  }

  closeTestClient(): void {
    this.#testClient?.close();
  }

  testClient(): OpenTestClient {
    if (this.#testClient !== undefined) return this.#testClient;
    throw new RequestError('The test client is not connected. Connect it first.');
  }

  async setTestTools(
    tools: Parameters<OpenTestClient['setTools']>[0],
  ): Promise<ReturnType<OpenTestClient['setTools']>> {
    const registered = await this.testClient().setTools(tools);
    this.#onChange();
    return registered;
  }
}

/** True for the key, and for an invalid address, which may contain a key; the model's error says what is wrong. */
function holdsSecret({ key, value }: ResolvedSetting): boolean {
  if (key === 'apiKey') return value !== '';
  if (key !== 'baseUrl') return false;
  try {
    readBaseUrl(String(value));
    return false;
  } catch {
    return true;
  }
}

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The likeliest for another machine first. */
function urlsOf(host: string, port: number): string[] {
  const { network, loopback } = networkAddresses(networkInterfaces());
  const hosts = isAnyAddress(host) ? [...network, loopback].map((each) => each.host) : [host];
  return hosts.map((each) => `ws://${urlHost(each)}:${port}`);
}

/** The workbench's models. `modelOf` throws a `RequestError` if there is none with that id. */
interface KnownModels {
  modelOf(id?: string): ChatModel;
  defaultId(): string;
}

/** What the gateway's model is chosen from. */
interface GatewayModelOptions {
  models: KnownModels;
  /** Chosen by the user. */
  modelId: string | undefined;
  resolved: ResolvedSettings;
}

/** The model that answers, and where it was chosen. `model` throws a `RequestError` if it is not available. */
interface ChosenModel {
  view: () => GatewayModelView;
  model: () => ChatModel;
}

/** The model chosen in the settings, else the environment's, else the workbench's default model. */
function chooseModel({ models, modelId, resolved }: GatewayModelOptions): ChosenModel {
  const { baseUrl, model: name, apiKey } = resolved.values;
  const isEnvironments = resolved.list.some(
    ({ key, origin }) => (key === 'baseUrl' || key === 'model') && origin === 'environment',
  );
  if (modelId === undefined && isEnvironments) {
    const model = (): ChatModel => environmentModel({ baseUrl, model: name, apiKey });
    return { model, view: () => ({ origin: 'environment', name, ...problemOf(model) }) };
  }
  const id = (): string => modelId ?? models.defaultId();
  const model = (): ChatModel => models.modelOf(id());
  const origin = modelId === undefined ? 'default' : 'settings';
  return { model, view: () => ({ origin, id: id(), name: nameOf(model, id()), ...problemOf(model) }) };
}

function nameOf(model: () => ChatModel, id: string): string {
  try {
    return model().name;
  } catch {
    return id; // The model was removed; `problemOf` reports it.
  }
}

function problemOf(model: () => ChatModel): { error?: string } {
  try {
    model();
    return {};
  } catch (error) {
    return { error: describeThrown(error) };
  }
}
