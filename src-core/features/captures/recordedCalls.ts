import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { CaptureFrame } from './captureFrame.ts';
import { mcpPayload } from './mcpPayload.ts';
import { resultKind } from './mcp/resultKind.ts';
import { recordedAnswer, type RecordedAnswer } from './recordedAnswer.ts';

/** A tools/call that was sent, and its answer if a complete one was received. Of several rounds, the answer is that of the last. */
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
  /** Calls that the server answered with questions, by their tool. */
  const asked = new Map<string, RecordedCall>();
  return {
    calls,
    get isDone() {
      return calls.length === seqs?.size && waiting.size === 0 && asked.size === 0;
    },
    add(frame) {
      // A connection counts its requests from the beginning.
      if (frame.kind === 'open') {
        waiting.clear();
        asked.clear();
      }
      if (frame.method !== 'tools/call' || frame.rpcId === undefined) return;
      if (isCallRequest(frame)) {
        const read = readCall(frame);
        if (read === undefined) return;
        if (read.goesOn) {
          const call = asked.get(read.call.toolName);
          if (call !== undefined) waiting.set(frame.rpcId, call);
        } else if (seqs?.has(frame.seq) !== false) {
          calls.push(read.call);
          waiting.set(frame.rpcId, read.call);
        }
      } else if (frame.role === 'answer') {
        const call = waiting.get(frame.rpcId);
        if (call === undefined) return;
        waiting.delete(frame.rpcId);
        asked.delete(call.toolName);
        const kind = resultKind(frame);
        if (kind === 'input_required') asked.set(call.toolName, call);
        // The result of a task is the answer of another request.
        const answer = kind === 'complete' ? recordedAnswer(frame) : undefined;
        if (answer !== undefined) call.answer = answer;
      }
    },
  };
}

/** Whether a frame is a tools/call that Toolwire sent. */
export function isCallRequest({ direction, role, method }: Pick<Frame, 'direction' | 'role' | 'method'>): boolean {
  return direction === 'out' && role === 'request' && method === 'tools/call';
}

/** `goesOn`: a further round of a call, with the answers to the server's questions. */
function readCall(frame: Frame): { call: RecordedCall; goesOn: boolean } | undefined {
  const params = mcpPayload(frame)?.['params'];
  if (!isJsonObject(params) || typeof params['name'] !== 'string') return undefined;
  const { name, arguments: args, inputResponses, requestState } = params;
  const call = { seq: frame.seq, toolName: name, args: isJsonObject(args) ? args : {} };
  return { call, goesOn: inputResponses !== undefined || requestState !== undefined };
}
