import type { RealtimeSessionFacts, RealtimeSessionUpdate } from '../../realtime/baseRealtimeProvider.ts';
import type { RealtimeSessionOptions } from '../../base/realtimeTypes.ts';
import type { RealtimeSessionInfo } from '../../contract/types.ts';
import type { Clock } from '../../base/clock.ts';
import type { ToolDefinition } from '../../registry/toolDefinition.ts';
import type { SessionTools, ToolChoice, ToolRef } from './sessionTools.ts';

/** The session's options, and the function that sends them to the model. */
export interface SessionSetupOptions {
  initial: { instructions: string; voice: string; session: RealtimeSessionOptions; choice: ToolChoice };
  tools: SessionTools;
  clock: Clock;
  /** Changes the session; what is absent stays. */
  send: (change: RealtimeSessionUpdate) => Promise<RealtimeSessionFacts>;
  /** Called with the number of tools that did not fit, and of those that did. */
  onLeftOut: (leftOut: number, offered: number) => void;
  onChange: () => void;
}

/** ms over which changes of the tools are collected before they are sent to the model. */
const gatherMs = 50;

/** The settings of one conversation's session: instructions, voice, tools, what ends a turn; and what the server applied. */
export class SessionSetup {
  readonly #options: SessionSetupOptions;
  readonly #choice: AskedValue<ToolChoice>;
  readonly #turns = new AskedValue<'server' | 'client'>('server');
  #instructions: string;
  #voice: string;
  #session: RealtimeSessionOptions;
  #facts: RealtimeSessionFacts = { tools: [], droppedTools: [] };
  /** The tools that were sent to the model last. */
  #told = '';
  #stopGathering: (() => void) | undefined;

  constructor(options: SessionSetupOptions) {
    this.#options = options;
    const { choice, instructions, voice, session } = options.initial;
    this.#choice = new AskedValue(choice);
    this.#instructions = instructions;
    this.#voice = voice;
    this.#session = session;
  }

  /** What ends the user's turns. */
  get turns(): 'server' | 'client' {
    return this.#turns.current;
  }

  /** The settings to show. */
  info(): Pick<RealtimeSessionInfo, 'instructions' | 'voice' | 'session' | 'toolChoice' | 'tools' | 'droppedTools'> {
    return {
      instructions: this.#instructions,
      voice: this.#voice,
      session: this.#session,
      toolChoice: this.#choice.current.chosen === undefined ? 'all' : 'chosen',
      ...this.#facts,
    };
  }

  /** The method of a name, if it is offered right now. */
  methodOf(name: string): ToolRef | undefined {
    return this.#options.tools.methodOf(name, this.#choice.current);
  }

  /** Sets a new session with `begin`, which connects it. */
  async begin(begin: (session: RealtimeSessionUpdate) => Promise<RealtimeSessionFacts>): Promise<void> {
    const [instructions, voice] = [this.#instructions, this.#voice];
    this.#facts = await begin({ ...this.#session, tools: this.#offer(), instructions, ...(voice !== '' && { voice }) });
  }

  /** Rejects with a `RequestError` if the server rejects the change: then the previous settings stay, and a later change applies. */
  async update(change: {
    instructions?: string | undefined;
    voice?: string | undefined;
    session?: RealtimeSessionOptions | undefined;
    /** Null: all that are offered. */
    tools?: readonly ToolRef[] | null | undefined;
  }): Promise<void> {
    const { instructions, voice, session, tools } = change;
    const tell = (offered?: ToolDefinition[]): Promise<void> =>
      this.#tell({ ...session, instructions, ...(voice !== '' && { voice }), tools: offered });
    if (tools === undefined) await tell();
    else await this.#choice.ask({ ...this.#choice.current, chosen: tools ?? undefined }, () => tell(this.#offer()));
    this.#instructions = instructions ?? this.#instructions;
    this.#voice = voice ?? this.#voice;
    this.#session = session ?? this.#session;
    this.#options.onChange();
  }

  /** What ends the user's turns from now on: the server at pauses, which is the default, or the client. */
  async takeTurns(turns: 'server' | 'client'): Promise<void> {
    if (turns !== this.turns) await this.#turns.ask(turns, () => this.#tell({ turns }));
  }

  /** Tools were added, removed or changed: the model is updated soon, once for all of them. */
  toolsChanged(onError: (error: unknown) => void): void {
    this.#stopGathering ??= this.#options.clock.after(gatherMs, () => {
      this.#stopGathering = undefined;
      const before = this.#told;
      const tools = this.#offer();
      if (this.#told !== before) this.#tell({ tools }).catch(onError);
    });
  }

  /** Sends nothing more to the model. */
  close(): void {
    this.#stopGathering?.();
  }

  async #tell(change: RealtimeSessionUpdate): Promise<void> {
    try {
      this.#facts = await this.#options.send(change);
    } catch (error) {
      // It is unknown which tools the model has: the next change sends all of them.
      this.#told = '';
      throw error;
    }
    this.#options.onChange();
  }

  #offer(): ToolDefinition[] {
    const { tools, leftOut } = this.#options.tools.offered(this.#choice.current);
    const told = JSON.stringify(tools);
    if (leftOut > 0 && told !== this.#told) this.#options.onLeftOut(leftOut, tools.length);
    this.#told = told;
    return tools;
  }
}

/**
 * A value that a server is asked to set. It applies from the request on, and is reset to the last accepted value if the
 * server rejects it. Of several concurrent requests the last one applies, whatever the outcome of the earlier ones.
 */
class AskedValue<T> {
  #asked: { value: T };
  #taken: { value: T };

  constructor(initial: T) {
    this.#asked = this.#taken = { value: initial };
  }

  get current(): T {
    return this.#asked.value;
  }

  /** Applies `value`, and sends the request with `ask`. Rejects as that does; answers arrive in the order of the requests. */
  async ask(value: T, ask: () => Promise<void>): Promise<void> {
    const asked = { value };
    this.#asked = asked;
    try {
      await ask();
      this.#taken = asked;
    } catch (error) {
      if (this.#asked === asked) this.#asked = this.#taken;
      throw error;
    }
  }
}
