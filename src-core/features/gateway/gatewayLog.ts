import type { GatewayLogFrame, GatewayLogPage, GatewayLogRow } from '../../contract/gateway.ts';
import type { GatewayTurnTrace } from '../../contract/gatewayTurns.ts';
import { maskMember, maskSecrets, maskSecretsInJson } from '../devices/wire/maskSecrets.ts';
import type { GatewayFrame } from './gatewayFrame.ts';
import {
  sharedLogId,
  type CaptureStore,
  type FrameLog,
  type StoredFrame,
  type StoredRow,
  type WireStore,
} from '../../store/frameTypes.ts';
import { parseExactly } from '../../base/exactNumber.ts';
import { RequestError } from '../../base/requestError.ts';
import { putLogBack } from '../trash/removedLogs.ts';
import type { WireRecorder } from '../devices/log/wireRecorder.ts';
import { boundTrace } from './boundTrace.ts';

/** The id of the gateway's log in the store. */
const gatewayLogId = sharedLogId('gateway');

/** Characters of a text that are kept, as of a device's frame. */
const maxTextLength = 512 * 1024;
/** Callbacks whose result may still come. */
const maxCallbacks = 1_000;

/** Which frames: those of one connection or of all, of the gateway's own log or of an imported capture. */
export interface GatewayLogSource {
  id?: string | undefined;
  captureId?: string | undefined;
}

/**
 * The messages and turns of all connections of the gateway in one log, which outlives them and the workbench. Secrets are
 * masked.
 */
export interface GatewayLog {
  /** The id of a connection that opens: numbers go on over restarts. */
  newConnectionId(): string;
  add(connectionId: string, frame: GatewayFrame): void;
  /** A turn that has ended, as one frame of type `turn`. Returns it as it is kept. */
  addTurn(connectionId: string, trace: GatewayTurnTrace): GatewayTurnTrace;
  page(source: GatewayLogSource & { afterSeq?: number | undefined; limit: number }): Promise<GatewayLogPage>;
  /** Rejects with a `RequestError` if it is no longer kept. */
  frame(source: GatewayLogSource & { seq: number }): Promise<GatewayLogFrame>;
  search(source: GatewayLogSource & { text: string }, signal?: AbortSignal): Promise<number[]>;
  readonly isEmpty: boolean;
  /** Moves its contents to the bin under `key`. */
  clear(key: string): Promise<void>;
  /** Returns them from there. */
  restore(key: string): Promise<void>;
}

/** Makes the log. It is stored with the logs of devices, under the same limit. */
export async function createGatewayLog(options: {
  wire: Pick<WireStore, 'log' | 'device' | 'setAside' | 'putBack'>;
  captures: Pick<CaptureStore, 'get' | 'log'>;
  recorder: Pick<WireRecorder, 'nextSeq' | 'keep' | 'flush' | 'upcomingSeq'>;
  wall: () => number;
}): Promise<GatewayLog> {
  const { wire, captures, recorder, wall } = options;
  /** When each callback went out that has no result yet, by call id. */
  const callbacks = new Map<string, number>();
  const openedAt = wall();
  let connections = (await wire.device(gatewayLogId))?.peers ?? 0;
  let isNewsOfPeers = false;
  let isEmpty = (await wire.log(gatewayLogId).bounds()) === undefined;

  function durationOf({ type, callId }: Pick<GatewayFrame, 'type' | 'callId'>, at: number): number | undefined {
    if (callId === undefined) return undefined;
    if (type === 'tool_callback') callbacks.set(callId, at);
    // Calls that are never answered would pile up.
    if (callbacks.size > maxCallbacks) callbacks.delete(callbacks.keys().next().value ?? '');
    if (type !== 'tool_result') return undefined;
    const sentAt = callbacks.get(callId);
    callbacks.delete(callId);
    return sentAt === undefined ? undefined : at - sentAt;
  }

  function keep(connectionId: string, frame: Omit<StoredFrame, 'seq' | 'deviceId' | 'role'>): void {
    const about = isNewsOfPeers ? { ...facts, lastSeenAt: frame.at, peers: connections } : undefined;
    isNewsOfPeers = false;
    isEmpty = false;
    recorder.keep({ ...frame, seq: recorder.nextSeq(), deviceId: gatewayLogId, role: connectionId }, about);
  }
  const facts = { id: gatewayLogId, deviceId: 'gateway', name: 'Gateway', virtual: false, connectedAt: openedAt };

  async function logOf({ id, captureId }: GatewayLogSource): Promise<FrameLog> {
    if (captureId === undefined) {
      recorder.flush();
      return wire.log(gatewayLogId, id);
    }
    if ((await captures.get(captureId))?.origin === 'gateway') return captures.log(captureId, id);
    throw new RequestError(`There is no capture "${captureId}" of the gateway.`, { field: 'captureId' });
  }

  return {
    newConnectionId() {
      isNewsOfPeers = true;
      return `connection-${(connections += 1)}`;
    },
    add(connectionId, { text, summary, ...frame }) {
      const at = wall();
      const durationMs = durationOf(frame, at);
      keep(connectionId, {
        at,
        ...frame,
        summary: maskSecrets(summary),
        ...(durationMs !== undefined && { durationMs }),
        ...(text !== undefined && keptText(text)),
      });
    },
    addTurn(connectionId, trace) {
      const text = JSON.stringify(boundTrace(trace), maskMember);
      keep(connectionId, {
        at: wall(),
        direction: 'out',
        kind: 'note',
        type: 'turn',
        summary: `turn ${trace.outcome}`,
        bytes: Buffer.byteLength(text),
        text,
        ...(trace.durationMs !== undefined && { durationMs: trace.durationMs }),
        ...(trace.outcome !== 'answered' && { failed: true }),
      });
      return parseExactly(text) as unknown as GatewayTurnTrace;
    },
    async page({ afterSeq = -1, limit, ...source }) {
      const log = await logOf(source);
      const upcoming = recorder.upcomingSeq;
      const { first, last } = (await log.bounds()) ?? { first: upcoming, last: upcoming - 1 };
      return { rows: (await log.rows({ afterSeq, limit })).map(rowOf), firstSeq: first, lastSeq: last };
    },
    async frame({ seq, ...source }) {
      const found = await (await logOf(source)).frame(seq);
      if (found === undefined) throw new RequestError(`Frame ${seq} is not in the log any more.`, { field: 'seq' });
      const { text, cut } = found;
      return { ...rowOf(found), ...(text !== undefined && { text }), ...(cut === true && { cut }) };
    },
    search: async ({ text, ...source }, signal) => (await logOf(source)).search(text, signal),
    get isEmpty() {
      return isEmpty;
    },
    async clear(key) {
      recorder.flush();
      await wire.setAside(gatewayLogId, { key, keepFacts: true });
      isEmpty = true;
    },
    async restore(key) {
      recorder.flush();
      await putLogBack(wire, key, gatewayLogId);
      isEmpty = false;
    },
  };
}

function keptText(text: string): Pick<StoredFrame, 'text' | 'cut'> {
  const masked = maskSecretsInJson(text.slice(0, maxTextLength));
  const isCut = text.length > maxTextLength || masked.length > maxTextLength;
  // A copy if it is cut: a slice would keep the whole text alive.
  return isCut ? { text: Buffer.from(masked.slice(0, maxTextLength)).toString(), cut: true } : { text: masked };
}

/** Rows need no check: they were written here, or checked when a capture was imported. */
function rowOf({ role = '', ...row }: StoredRow): GatewayLogRow {
  const { seq, at, direction, kind, type, summary, callId, bytes, durationMs, failed } = row;
  return {
    seq,
    at,
    deviceId: role,
    direction: direction as GatewayLogRow['direction'],
    kind: kind as GatewayLogRow['kind'],
    type,
    summary,
    bytes,
    ...(callId !== undefined && { callId }),
    ...(durationMs !== undefined && { durationMs }),
    ...(failed !== undefined && { failed }),
  };
}
