import type { RealtimeSessionFacts, RealtimeSessionUpdate } from '../../realtime/baseRealtimeProvider.ts';
import type { Clock } from '../../tools/clock.ts';
import type { ToolDefinition } from '../../tools/toolDefinition.ts';
import type { SessionTools, ToolChoice, ToolRef } from './sessionTools.ts';

/** What a session is set to, and how the model is told. */
export interface SessionSetupOptions {
  initial: { instructions: string; voice: string; choice: ToolChoice };
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
  #settings: SessionSetupOptions['initial'];
  #facts: RealtimeSessionFacts = { tools: [], droppedTools: [] };
  #turns: 'server' | 'client' = 'server';
  /** The tools that the model was told last. */
  #told = '';
  #stopGathering: (() => void) | undefined;

  constructor(options: SessionSetupOptions) {
    this.#options = options;
    this.#settings = options.initial;
  }

  /** Who ends the person's turns. */
  get turns(): 'server' | 'client' {
    return this.#turns;
  }

  /** For whoever looks on. */
  info(): { instructions: string; voice: string } & RealtimeSessionFacts {
    const { instructions, voice } = this.#settings;
    return { instructions, voice, ...this.#facts };
  }

  /** The method of a name, where it is offered right now. */
  methodOf(name: string): ToolRef | undefined {
    return this.#options.tools.methodOf(name, this.#settings.choice);
  }

  /** Sets a new session with `begin`, which connects it. */
  async begin(begin: (session: RealtimeSessionUpdate) => Promise<RealtimeSessionFacts>): Promise<void> {
    const { instructions, voice } = this.#settings;
    this.#facts = await begin({ tools: this.#offer(), instructions, ...(voice !== '' && { voice }) });
  }

  /** Rejects with a `RequestError` where the server refuses it: then all is as it was. */
  async update(change: {
    instructions?: string | undefined;
    voice?: string | undefined;
    tools?: readonly ToolRef[] | undefined;
  }): Promise<void> {
    const { instructions, voice, tools } = change;
    const before = this.#settings;
    if (tools !== undefined) this.#settings = { ...before, choice: { ...before.choice, chosen: tools } };
    try {
      await this.#tell({ instructions, ...(voice !== '' && { voice }), tools: tools && this.#offer() });
    } catch (error) {
      this.#settings = before;
      throw error;
    }
    this.#settings = {
      ...this.#settings,
      ...(instructions !== undefined && { instructions }),
      ...(voice !== undefined && { voice }),
    };
    this.#options.onChange();
  }

  /** Who ends the person's turns from now on: the server by its pauses, which it does unless told, or the client. */
  async takeTurns(turns: 'server' | 'client'): Promise<void> {
    const before = this.#turns;
    if (turns === before) return;
    this.#turns = turns;
    try {
      await this.#tell({ turns });
    } catch (error) {
      this.#turns = before;
      throw error;
    }
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
    const { tools, leftOut } = this.#options.tools.offered(this.#settings.choice);
    const told = JSON.stringify(tools);
    if (leftOut > 0 && told !== this.#told) this.#options.onLeftOut(leftOut, tools.length);
    this.#told = told;
    return tools;
  }
}
