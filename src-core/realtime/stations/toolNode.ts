import type { ToolExecutionResult } from '../../base/calls.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { ChunkType, ToolOutputChunk, type AnyChunk, type ToolCallChunk } from '../chunks.ts';
import { Station } from './station.ts';

/** Runs one call of the model through the engine's executor; `toolName` is the tool's own name. */
export type RealtimeToolExecutor = (
  call: ToolCallChunk,
  options: { signal: AbortSignal },
) => Promise<Pick<ToolExecutionResult, 'status' | 'result'>>;

/**
 * Runs the tool calls of a `RealtimeStation` without `execute`: takes `ToolCallChunk`s, returns a `ToolOutputChunk` for each,
 * and ignores other chunks. Connect both with `station.pipe(node)` and `node.pipe(station)`.
 */
export class ToolNode extends Station {
  readonly #execute: RealtimeToolExecutor;
  readonly #running = new Map<string, AbortController>();

  constructor({ execute }: { execute: RealtimeToolExecutor }) {
    super();
    this.#execute = execute;
  }

  /** Ids of the calls whose tools run now. */
  get runningCalls(): string[] {
    return [...this.#running.keys()];
  }

  /** Begins a call; it does not wait for its end. An error of the tool is an output with `isError`. */
  override async process(chunk: AnyChunk): Promise<void> {
    if (chunk.type === ChunkType.TOOL_CALL) void this.#run(chunk);
  }

  /** Cancels the tools that run. Their outputs are dropped. */
  cancelAll(reason: Error): void {
    for (const controller of this.#running.values()) controller.abort(reason);
    this.#running.clear();
  }

  async #run(call: ToolCallChunk): Promise<void> {
    const controller = new AbortController();
    this.#running.set(call.callId, controller);
    const output = await this.#outputOf(call, controller.signal);
    if (controller.signal.aborted) return;
    this.#running.delete(call.callId);
    this.push(output);
  }

  async #outputOf(call: ToolCallChunk, signal: AbortSignal): Promise<ToolOutputChunk> {
    const { callId } = call;
    try {
      const { status, result } = await this.#execute(call, { signal });
      return new ToolOutputChunk({ callId, output: result, isError: status === 'error' });
    } catch (error) {
      return new ToolOutputChunk({ callId, output: describeThrown(error), isError: true });
    }
  }
}
