import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import { createWireNames, type WireNames } from '../../registry/wireNames.ts';
import type { BaseRealtimeProvider, RealtimeSessionFacts, RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';
import { ChunkType, EventChunk, ToolCallChunk, type ToolOutputChunk, type AnyChunk } from '../chunks.ts';
import { Station } from './station.ts';
import { ToolNode, type RealtimeToolExecutor } from './toolNode.ts';

export interface RealtimeStationOptions {
  provider: BaseRealtimeProvider;
  /** Runs each call. Without it, the station emits a `ToolCallChunk` and expects a `ToolOutputChunk`. */
  execute?: RealtimeToolExecutor | undefined;
}

/**
 * Connects a realtime model to other stations: takes audio, text and tool outputs, and emits the provider's chunks. Maps the
 * names of tools to names that the model accepts.
 */
export class RealtimeStation extends Station {
  readonly #provider: BaseRealtimeProvider;
  readonly #tools: ToolNode | undefined;
  #names: WireNames = createWireNames([]);
  /** Names of the tools that the server has accepted: it calls these until it accepts others, or if it refuses them. */
  #takenNames = this.#names;

  constructor({ provider, execute }: RealtimeStationOptions) {
    super();
    this.#provider = provider;
    this.#tools = execute && new ToolNode({ execute });
    this.#tools?.onChunk((chunk) => {
      if (chunk.type === ChunkType.TOOL_OUTPUT) void this.#return(chunk);
    });
    provider.setEventHandler((chunk) => this.#hear(chunk));
  }

  /** Ids of the calls whose tools run now. */
  get runningCalls(): string[] {
    return this.#tools?.runningCalls ?? [];
  }

  /**
   * Connects, and sets the session without what the server refuses: an `event.error` names each such setting. Rejects as
   * `connect` and `updateSession` of the provider do.
   */
  async open(
    session: RealtimeSessionUpdate,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<RealtimeSessionFacts> {
    await this.#provider.connect(options);
    return this.update(session, { dropRefused: true });
  }

  /** Changes the session. Tools may have any name; the answer names them the same way. Options: as of `updateSession`. */
  async update(
    { tools, ...session }: RealtimeSessionUpdate,
    options: { dropRefused?: boolean | undefined } = {},
  ): Promise<RealtimeSessionFacts> {
    if (tools === undefined) return ownNames(await this.#provider.updateSession(session, options), this.#takenNames);
    const names = createWireNames(tools.map(({ name }) => name));
    // From now on: a call may come before the answer.
    this.#names = names;
    const wired = tools.map((tool) => ({ ...tool, name: names.toWire(tool.name) }));
    try {
      const facts = await this.#provider.updateSession({ ...session, tools: wired }, options);
      this.#takenNames = names;
      return ownNames(facts, names);
    } catch (error) {
      if (this.#names === names) this.#names = this.#takenNames;
      throw error;
    }
  }

  /**
   * Takes the user's sound in the provider's `inputSampleRate`, a text or a picture of theirs, or a tool's output.
   * @throws RequestError for sound of another rate, and for other chunks, which have no way to the model
   */
  override async process(chunk: AnyChunk): Promise<void> {
    switch (chunk.type) {
      case ChunkType.AUDIO_RAW:
        if (chunk.sampleRate === this.#provider.inputSampleRate) return this.#provider.sendAudio(chunk.data);
        throw new RequestError(
          `The model takes sound of ${this.#provider.inputSampleRate} Hz, this has ${chunk.sampleRate} Hz. Resample it first.`,
        );
      case ChunkType.TEXT:
        return this.#provider.sendText(chunk.data);
      case ChunkType.IMAGE:
        return this.#provider.sendImage(chunk);
      case ChunkType.TOOL_OUTPUT:
        return this.#provider.sendToolOutput(chunk.callId, chunk.output, { isError: chunk.isError });
      default:
        throw new RequestError(`A chunk of type ${chunk.type} has no way to the model.`);
    }
  }

  /** Ends the user's turn, if `turns` of the session is `client`. */
  async commitAudio(): Promise<void> {
    await this.#provider.commitAudio();
  }

  /** Ends what the model says. Tools go on: their outputs reach the model, which is not asked to speak of them. */
  async interrupt(options: { playedMs?: number | undefined } = {}): Promise<void> {
    await this.#provider.interrupt(options);
  }

  /** Cancels the tools that run and ends the connection. */
  async close(): Promise<void> {
    this.#tools?.cancelAll(new Error('The conversation was closed.'));
    await this.#provider.disconnect();
  }

  #hear(chunk: AnyChunk): void {
    if (chunk.type !== ChunkType.TOOL_CALL) return this.push(chunk);
    // An unknown name is passed on unchanged: the executor suggests similar names.
    const toolName =
      this.#names.fromWire(chunk.toolName) ?? this.#takenNames.fromWire(chunk.toolName) ?? chunk.toolName;
    const call = new ToolCallChunk({
      callId: chunk.callId,
      toolName,
      arguments: chunk.arguments,
      argumentsJson: chunk.argumentsJson,
      responseId: chunk.responseId,
    });
    this.push(call);
    void this.#tools?.process(call);
  }

  async #return(output: ToolOutputChunk): Promise<void> {
    this.push(output);
    try {
      await this.process(output);
    } catch (error) {
      const detail = `The output of call ${output.callId} did not reach the model: ${describeThrown(error)}`;
      this.push(new EventChunk({ type: ChunkType.EVENT_ERROR, detail }));
    }
  }
}

function ownNames({ tools, droppedTools }: RealtimeSessionFacts, names: WireNames): RealtimeSessionFacts {
  const own = (name: string): string => names.fromWire(name) ?? name;
  return { tools: tools.map(own), droppedTools: droppedTools.map(own) };
}
