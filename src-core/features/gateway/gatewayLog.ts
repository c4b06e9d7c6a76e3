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
import { searchLog } from '../devices/log/searchLog.ts';
import type { WireRecorder } from '../devices/log/wireRecorder.ts';
import { boundTrace } from './boundTrace.ts';

/** The id of the gateway's log in the store. */
export const gatewayLogId = sharedLogId('gateway');

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
  page(source: GatewayLogSource & { afterSeq?: number | undefined; limit: number }): GatewayLogPage;
  /** Throws a `RequestError` if it is no longer kept. */
  frame(source: GatewayLogSource & { seq: number }): GatewayLogFrame;
  search(source: GatewayLogSource & { text: string }, signal?: AbortSignal): Promise<number[]>;
  readonly isEmpty: boolean;
  /** Moves its contents to the bin under `key`. */
  clear(key: string): void;
}

/** Makes the log. It is stored with the logs of devices, under the same limit. */
export function createGatewayLog(options: {
  wire: Pick<WireStore, 'log' | 'device' | 'setAside'>;
  captures: Pick<CaptureStore, 'get' | 'log'>;
  recorder: Pick<WireRecorder, 'nextSeq' | 'keep' | 'flush' | 'upcomingSeq'>;
  wall: () => number;
}): GatewayLog {
  const { wire, captures, recorder, wall } = options;
  /** When each callback went out that has no result yet, by call id. */
  const callbacks = new Map<string, number>();
  const openedAt = wall();
  let connections = wire.device(gatewayLogId)?.peers ?? 0;
  let isNewsOfPeers = false;
  /** There is at least one frame; false if that is not known. */
  let holds = false;

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
    holds = true;
    recorder.keep({ ...frame, seq: recorder.nextSeq(), deviceId: gatewayLogId, role: connectionId }, about);
  }
  const facts = { id: gatewayLogId, deviceId: 'gateway', name: 'Gateway', virtual: false, connectedAt: openedAt };

  function logOf({ id, captureId }: GatewayLogSource): FrameLog {
    if (captureId === undefined) {
      recorder.flush();
      return wire.log(gatewayLogId, id);
    }
    if (captures.get(captureId)?.origin === 'gateway') return captures.log(captureId, id);
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
    page({ afterSeq = -1, limit, ...source }) {
      const log = logOf(source);
      const upcoming = recorder.upcomingSeq;
      const { first, last } = log.bounds() ?? { first: upcoming, last: upcoming - 1 };
      return { rows: log.rows({ afterSeq, limit }).map(rowOf), firstSeq: first, lastSeq: last };
    },
    frame({ seq, ...source }) {
      const found = logOf(source).frame(seq);
      if (found === undefined) throw new RequestError(`Frame ${seq} is not in the log any more.`, { field: 'seq' });
      const { text, cut } = found;
      return { ...rowOf(found), ...(text !== undefined && { text }), ...(cut === true && { cut }) };
    },
    search: ({ text, ...source }, signal) => searchLog(logOf(source), text, signal),
    get isEmpty() {
      holds ||= wire.log(gatewayLogId).bounds() !== undefined;
      return !holds;
    },
    clear(key) {
      recorder.flush();
      wire.setAside(gatewayLogId, { key, keepFacts: true });
      holds = false;
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
