import type { ExecutionOptions } from '../../engine/executionOptions.ts';
import type { ChatModel } from '../models/chatModel.ts';
import type { Clock } from '../../base/clock.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { WorkAllowance } from '../../base/workPool.ts';
import type { Configuration, GatewaySettings } from '../../contract/gateway.ts';
import type { GatewayTurnTrace } from '../../contract/gatewayTurns.ts';
import type { SessionNodes } from '../cluster/movedSession.ts';
import type { ServerMessage } from './messages.ts';
import type { Session, SessionStore } from './sessionStore.ts';

/** Options from the user's settings and the history for each call; the gateway adds the rest. */
export type CallPolicy = Pick<
  ExecutionOptions,
  'config' | 'toolTimeouts' | 'dangerousTools' | 'onBeforeExecute' | 'onCallStart' | 'onWentOut' | 'onCallEnd'
>;

/** The dependencies of turns, the same for all turns of a gateway. */
export interface TurnServices {
  toolRegistryManager: ToolRegistryManager;
  settings: () => GatewaySettings;
  /** The model of the next turn. Throws a `RequestError` or a `ChatModelError` if there is none. */
  model: () => ChatModel;
  callPolicy: () => CallPolicy;
  clock: Clock;
  sessions: SessionStore;
  nodes: SessionNodes | undefined;
  /** Tells server tools in which session a call is made. */
  callSessions: Map<string, Session>;
  onError: (error: unknown, where: string) => void;
}

/** One turn: its question, its session, and how its frames are sent. */
export interface Turn {
  text: string;
  session: Session;
  configuration: Readonly<Configuration>;
  clientToolsId: string;
  /** Aborts when the connection has ended. */
  signal: AbortSignal;
  /** What the checks of its calls may take together. */
  checkAllowance: WorkAllowance;
  send: (message: ServerMessage) => boolean;
  /** Called with the trace when it begins, and at each request to the model and its reply. */
  onProgress: (trace: GatewayTurnTrace) => void;
}
