import { isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CaptureFrame } from './captureFrame.ts';
import { mcpPayload } from './mcpPayload.ts';
import { recordedAnswer } from './recordedAnswer.ts';
import type { RecordedAnswer } from './recordedAnswer.ts';

/** A tools/call that was sent, and its answer if a complete one was received. */
export interface RecordedCall {
  /** Of the request. */
  seq: number;
  toolName: string;
  args: JsonObject;
  answer?: RecordedAnswer;
}

type Frame = Pick<
  CaptureFrame,
  'seq' | 'kind' | 'direction' | 'role' | 'method' | 'rpcId' | 'text' | 'cut' | 'durationMs'
>;

/** Finds the calls of a log, frame by frame. */
export interface CallReader {
  /** In the order they were sent. */
  readonly calls: RecordedCall[];
  /** Whether all that were looked for are complete. */
  readonly isDone: boolean;
  add(frame: Frame): void;
}

/** The calls of a log, in the order they were sent. */
export function recordedCalls(frames: Iterable<Frame>): RecordedCall[] {
  const reader = createCallReader();
  for (const frame of frames) reader.add(frame);
  return reader.calls;
}

/** Looks for all calls, or only for those in `seqs`. */
export function createCallReader(seqs?: ReadonlySet<number>): CallReader {
  const calls: RecordedCall[] = [];
  const waiting = new Map<number, RecordedCall>();
  return {
    calls,
    get isDone() {
      return calls.length === seqs?.size && waiting.size === 0;
    },
    add(frame) {
      // A connection counts its requests from the beginning.
      if (frame.kind === 'open') waiting.clear();
      if (frame.method !== 'tools/call' || frame.rpcId === undefined) return;
      if (isCallRequest(frame)) {
        const call = seqs?.has(frame.seq) === false ? undefined : readCall(frame);
        if (call === undefined) return;
        calls.push(call);
        waiting.set(frame.rpcId, call);
      } else if (frame.role === 'answer') {
        const call = waiting.get(frame.rpcId);
        if (call === undefined) return;
        waiting.delete(frame.rpcId);
        const answer = recordedAnswer(frame);
        if (answer !== undefined) call.answer = answer;
      }
    },
  };
}

/** Whether a frame is a tools/call that Toolwire sent. */
export function isCallRequest({ direction, role, method }: Pick<Frame, 'direction' | 'role' | 'method'>): boolean {
  return direction === 'out' && role === 'request' && method === 'tools/call';
}

function readCall(frame: Frame): RecordedCall | undefined {
  const params = mcpPayload(frame)?.['params'];
  if (!isJsonObject(params) || typeof params['name'] !== 'string') return undefined;
  const { name, arguments: args } = params;
  return { seq: frame.seq, toolName: name, args: isJsonObject(args) ? args : {} };
}
