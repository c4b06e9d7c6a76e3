import type { RealtimeSessionFacts, RealtimeSessionUpdate } from '../../realtime/baseRealtimeProvider.ts';
import type { RealtimeSessionOptions } from '../../realtime/sessionOptions.ts';
import type { RealtimeSessionInfo } from '../../contract/types.ts';
import type { Clock } from '../../base/clock.ts';
import type { ToolDefinition } from '../../registry/toolDefinition.ts';
import { AskedValue } from './askedValue.ts';
import type { SessionTools, ToolChoice, ToolRef } from './sessionTools.ts';

/** What a session is set to, and how the model is told. */
export interface SessionSetupOptions {
  initial: { instructions: string; voice: string; session: RealtimeSessionOptions; choice: ToolChoice };
  tools: SessionTools;
  clock: Clock;
  /** Changes the session; what is absent stays. */
  send: (change: RealtimeSessionUpdate) => Promise<RealtimeSessionFacts>;
  /** So many tools did not fit beside so many. */
  onLeftOut: (leftOut: number, offered: number) => void;
  onChange: () => void;
}

/** ms over which changes of the tools are gathered before the model is told. */
const gatherMs = 50;

/** What one conversation's session is set to: instructions, voice, tools, who ends a turn; and what the server made of it. */
export class SessionSetup {
  readonly #options: SessionSetupOptions;
  readonly #choice: AskedValue<ToolChoice>;
  readonly #turns = new AskedValue<'server' | 'client'>('server');
  #instructions: string;
  #voice: string;
  #session: RealtimeSessionOptions;
  #facts: RealtimeSessionFacts = { tools: [], droppedTools: [] };
  /** The tools that the model was told last. */
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

  /** Who ends the person's turns. */
  get turns(): 'server' | 'client' {
    return this.#turns.current;
  }

  /** For whoever looks on. */
  info(): Pick<RealtimeSessionInfo, 'instructions' | 'voice' | 'session' | 'toolChoice' | 'tools' | 'droppedTools'> {
    return {
      instructions: this.#instructions,
      voice: this.#voice,
      session: this.#session,
      toolChoice: this.#choice.current.chosen === undefined ? 'all' : 'chosen',
      ...this.#facts,
    };
  }

  /** The method of a name, where it is offered right now. */
  methodOf(name: string): ToolRef | undefined {
    return this.#options.tools.methodOf(name, this.#choice.current);
  }

  /** Sets a new session with `begin`, which connects it. */
  async begin(begin: (session: RealtimeSessionUpdate) => Promise<RealtimeSessionFacts>): Promise<void> {
    const [instructions, voice] = [this.#instructions, this.#voice];
    this.#facts = await begin({ ...this.#session, tools: this.#offer(), instructions, ...(voice !== '' && { voice }) });
  }

  /** Rejects with a `RequestError` where the server refuses it: then all is as it was, and a later change holds. */
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

  /** Who ends the person's turns from now on: the server by its pauses, which it does unless told, or the client. */
  async takeTurns(turns: 'server' | 'client'): Promise<void> {
    if (turns !== this.turns) await this.#turns.ask(turns, () => this.#tell({ turns }));
  }

  /** Tools have come, gone or changed: the model is told soon, once for all of them. */
  toolsChanged(onError: (error: unknown) => void): void {
    this.#stopGathering ??= this.#options.clock.after(gatherMs, () => {
      this.#stopGathering = undefined;
      const before = this.#told;
      const tools = this.#offer();
      if (this.#told !== before) this.#tell({ tools }).catch(onError);
    });
  }

  /** The model is told nothing more. */
  close(): void {
    this.#stopGathering?.();
  }

  async #tell(change: RealtimeSessionUpdate): Promise<void> {
    try {
      this.#facts = await this.#options.send(change);
    } catch (error) {
      // Nobody knows which tools the model has: the next change tells all of them.
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
