import type { GatewayTurnTrace } from '../../contract/gatewayTurns.ts';
import { parseExactly } from '../../base/exactNumber.ts';
import { maskMember, maskSecrets } from '../../base/maskSecrets.ts';
import { gatewayLogId, type WireStore } from '../../store/frameTypes.ts';
import type { FrameEntry, FrameLog, FrameNote } from '../frames/frameLog.ts';
import { boundTrace } from './boundTrace.ts';

/** Callbacks whose result may still come. */
const maxCallbacks = 1_000;

/** Records the messages and turns of all connections of the gateway. Secrets are masked. */
export interface GatewayLog {
  /** The id of a connection that opens: numbers go on over restarts. */
  newConnectionId(): string;
  add(connectionId: string, frame: FrameEntry): void;
  /** A turn that has ended, as one frame of type `turn`. Returns it as it is kept. */
  addTurn(connectionId: string, trace: GatewayTurnTrace): GatewayTurnTrace;
}

/** The log of the gateway outlives its connections and the workbench. */
export async function createGatewayLog(options: {
  wire: Pick<WireStore, 'device'>;
  frames: Pick<FrameLog, 'add' | 'about'>;
  wall: () => number;
}): Promise<GatewayLog> {
  const { wire, frames, wall } = options;
  /** When each callback was sent that has no result yet, by call id. */
  const callbacks = new Map<string, number>();
  const facts = { id: gatewayLogId, deviceId: 'gateway', name: 'Gateway', virtual: false, connectedAt: wall() };
  let connections = (await wire.device(gatewayLogId))?.peers ?? 0;

  function durationOf({ type, callId }: FrameNote, at: number): number | undefined {
    if (callId === undefined) return undefined;
    if (type === 'tool_callback') callbacks.set(callId, at);
    // Calls that are never answered would pile up.
    if (callbacks.size > maxCallbacks) callbacks.delete(callbacks.keys().next().value ?? '');
    if (type !== 'tool_result') return undefined;
    const sentAt = callbacks.get(callId);
    callbacks.delete(callId);
    return sentAt === undefined ? undefined : at - sentAt;
  }

  return {
    newConnectionId() {
      connections += 1;
      frames.about({ ...facts, lastSeenAt: wall(), peers: connections });
      return `connection-${connections}`;
    },
    add(connection, frame) {
      const at = wall();
      const summary = maskSecrets(frame.note.summary);
      const note = { ...frame.note, summary, durationMs: durationOf(frame.note, at) };
      frames.add({ source: 'gateway', connection, ...frame, at, note, mask: true });
    },
    addTurn(connection, trace) {
      const text = JSON.stringify(boundTrace(trace), maskMember);
      const { outcome, durationMs } = trace;
      const note = { type: 'turn', summary: `turn ${outcome}`, durationMs, failed: outcome !== 'answered' };
      const bytes = Buffer.byteLength(text);
      frames.add({ source: 'gateway', connection, at: wall(), direction: 'out', kind: 'note', bytes, text, note });
      return parseExactly(text) as unknown as GatewayTurnTrace;
    },
  };
}
