import { networkInterfaces } from 'node:os';

import type { gateway as gatewayContract, GatewayState, ResolvedSetting } from '../../contract/gateway.ts';
import type { GatewayTurnTrace } from '../../contract/gatewayTurns.ts';
import type { Implementation } from '../../contract/implementation.ts';
import { createGateway, type Gateway } from './createGateway.ts';
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
import { createGatewayLog } from './gatewayLog.ts';
import { chooseModel, type ChosenModel } from './gatewayModel.ts';
import { createCallQuestions } from '../calls/callQuestions.ts';
import { openTestClient, type OpenTestClient } from './gatewayTestClient.ts';
import { changedSettings, isOfTheCommand, isOfTheModel, loadKeptGateway, saveKeptGateway } from './keptGateway.ts';
import { networkAddresses } from '../devices/listener/networkAddresses.ts';
import type { Calls } from '../calls/service.ts';
import type { FeatureContext } from '../context.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import type { Models } from '../models/service.ts';

/** Settings that are fixed when a gateway is made; changing them closes every connection. */
const madeWith = ['host', 'port', 'mcpEnabled', 'mcpServerName', 'mcpProtocolVersion'] as const;

/** Opens the gateway of a workbench; `start` lets clients connect if it was on. */
export async function openGateway(context: FeatureContext & { frames: FrameLog; models: Models; calls: Calls }) {
  const { toolRegistryManager, events, clock, onError, frames, models, calls } = context;
  const { settings: store, wire } = context.store;
  const onChange = (): void => void events.emit('changed', 'gateway');
  let kept = loadKeptGateway(store, (error) => onError(error, 'the settings of the gateway'));
  let running: { listener: Listener; gateway: Gateway; port: number; host: string } | undefined;
  let failure: Pick<GatewayState, 'error' | 'conflict'> = {};
  let testClient: OpenTestClient | undefined;
  let closed = false;
  // One after the other: two at once would leak an open listener.
  const steps = new OneAfterAnother();
  const log = await createGatewayLog({ wire, frames, wall: clock.wall });
  const questions = createCallQuestions({ clock, toolRegistryManager, onChange });
  let resolved = resolve();
  let chosen = choose();

  function resolve(): ResolvedSettings {
    // By default it listens on this machine only, unlike the headless gateway.
    return resolveSettings({ env: process.env, settings: kept.settings, defaults: { host: '127.0.0.1' } });
  }
  function choose(): ChosenModel {
    return chooseModel({ models, modelId: kept.modelId, resolved });
  }

  /** By the id of the connection. */
  const lastTurns = new Map<string, GatewayTurnTrace>();

  async function open(): Promise<void> {
    if (running !== undefined || closed) return;
    const { host, port } = resolved.values;
    const listener = createListener({ host, port, onError: (error) => onError(error, 'the LLM gateway') });
    failure = {};
    try {
      const bound = await listener.listen();
      const gateway = createGateway({
        listener,
        toolRegistryManager,
        clock,
        onChange,
        onError,
        newConnectionId: log.newConnectionId,
        settings: () => resolved.values,
        model: () => chosen.model(),
        callPolicy: () => ({ ...calls.policy(), ...calls.follow('gateway'), onBeforeExecute: questions.ask }),
        onFrame(connectionId, frame) {
          log.add(connectionId, frame);
          onChange();
        },
        onTurn(connectionId, trace) {
          const connected = new Set(gateway.connections().map(({ id }) => id));
          for (const id of lastTurns.keys()) if (!connected.has(id)) lastTurns.delete(id);
          lastTurns.set(connectionId, log.addTurn(connectionId, trace));
        },
      });
      running = { listener, gateway, host, port: bound.port };
    } catch (error) {
      await listener.close();
      if (!(error instanceof ListenError)) throw error;
      const inUse = error.code === 'port-in-use';
      failure = {
        error: error.message,
        ...(inUse && { conflict: { port, freePort: await findFreePort(host, port) } }),
      };
    } finally {
      onChange();
    }
  }

  async function shut(): Promise<void> {
    const { listener, gateway } = running ?? {};
    running = undefined;
    failure = {};
    testClient?.close();
    await gateway?.close();
    await listener?.close();
    onChange();
  }

  function toldOrThrown(): GatewayState {
    if (failure.error !== undefined) throw new RequestError(failure.error, { field: 'settings.port' });
    return state();
  }

  function state(): GatewayState {
    const { host, port } = running ?? resolved.values;
    return {
      enabled: kept.enabled,
      listening: running !== undefined,
      host,
      port,
      urls: running === undefined ? [] : urlsOf(host, port),
      hasLog: frames.has(gatewayLogId),
      refusedPages: running?.gateway.refusedPages() ?? [],
      openToNetwork: !isLoopback(host) && host !== 'localhost',
      ...failure,
      model: chosen.view(),
      settings: shown(),
      ...(testClient !== undefined && { testClient: testClient.view() }),
      questions: questions.list(),
    };
  }

  /** Settings of the model are included only if they are used or invalid. Secrets are masked. */
  function shown(): GatewayState['settings'] {
    const isUsed = chosen.view().origin === 'environment';
    return resolved.list
      .filter(({ key }) => !isOfTheCommand(key))
      .filter(({ key, problem }) => isUsed || problem !== undefined || !isOfTheModel(key))
      .map((each) => (holdsSecret(each) ? { ...each, value: '***' } : each));
  }

  function gateway(): Gateway {
    if (running !== undefined) return running.gateway;
    throw new RequestError('The gateway is off. Switch it on first.');
  }

  function client(): OpenTestClient {
    if (testClient !== undefined) return testClient;
    throw new RequestError('The test client is not connected. Connect it first.');
  }

  const service = {
    state,
    setEnabled: ({ enabled }) =>
      steps.run(async () => {
        const next = { ...kept, enabled };
        saveKeptGateway(store, next);
        kept = next;
        await (enabled ? open() : shut());
        return toldOrThrown();
      }),
    configure: ({ settings = {}, modelId }) =>
      steps.run(async () => {
        const { modelId: former, ...rest } = kept;
        if (typeof modelId === 'string') models.modelOf(modelId);
        const nextModel = modelId === undefined ? former : (modelId ?? undefined);
        const next = {
          ...rest,
          settings: changedSettings(kept.settings, settings),
          ...(nextModel !== undefined && { modelId: nextModel }),
        };
        saveKeptGateway(store, next);
        kept = next;
        const before = resolved.values;
        resolved = resolve();
        chosen = choose();
        const mustMove = madeWith.some((key) => before[key] !== resolved.values[key]);
        if (kept.enabled && (mustMove || running === undefined)) {
          await shut();
          await open();
        }
        onChange();
        return toldOrThrown();
      }),
    connections: () => running?.gateway.connections() ?? [],
    turn({ id }) {
      const trace = running?.gateway.turnOf(id);
      return { trace: trace === undefined ? lastTurns.get(id) : boundTrace(trace) };
    },
    sessions: () => running?.gateway.sessions() ?? [],
    sessionMessages: ({ id }) => gateway().sessionMessages(id),
    endSession: ({ id }) => gateway().endSession(id),
    disconnect: ({ id }) => gateway().disconnect(id),
    send: ({ id, text, ...options }) => gateway().send(id, text, options),
    decide: (decision) => questions.decide(decision),
    attend: ({ callId }) => questions.attend(callId),
    openTestClient: () =>
      steps.run(async () => {
        const { connections } = gateway();
        const { host, port } = running ?? resolved.values;
        testClient ??= await openTestClient({
          url: `ws://${urlHost(isAnyAddress(host) ? '127.0.0.1' : host)}:${port}`,
          connectionOf: (userAgent) => connections().find((each) => each.userAgent === userAgent)?.id,
          onClose() {
            testClient = undefined;
            onChange();
          },
        });
        onChange();
        return { connectionId: testClient.connectionId };
      }),
    closeTestClient: () => testClient?.close(),
    sendAsClient: ({ text }) => client().send(text),
    async setTestTools({ tools }) {
      const registered = await client().setTools(tools);
      onChange();
      return { tools: registered };
    },
  } satisfies Implementation<typeof gatewayContract>;
  return {
    service,
    start: () => steps.run(async () => (kept.enabled ? open() : undefined)),
    close() {
      closed = true;
      return steps.run(shut);
    },
  };
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
