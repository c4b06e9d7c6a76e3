/** What an agent begins with. */
export interface AgentSetup<Tools> {
  /** In the framework's form, as a converter returns them. */
  tools: Tools;
  systemPrompt: string;
}

/** How one turn is steered. */
export interface ChatOptions {
  /** Cancels the turn: the model's answer and whatever tool runs. */
  signal?: AbortSignal | undefined;
}

/**
 * An agent of some framework whose tools may change during its lifetime. `Tool` is the framework's
 * tool, `Tools` a converter's form of several.
 */
export abstract class AgentProvider<Tool, Tools> {
  readonly #tools = new Map<string, Tool>();
  #systemPrompt: string | undefined;
  #busy = false;

  /** Begins a conversation. Tools that came before stay. Rejects while a turn runs. */
  async initialize({ tools, systemPrompt }: AgentSetup<Tools>): Promise<void> {
    this.#refuseWhileBusy();
    this.#systemPrompt = systemPrompt;
    this.forget();
    return this.updateTools(tools);
  }

  /** Adds tools; one of a name that is there takes the other's place. Holds from the model's next request on. */
  updateTools(tools: Tools): Promise<void> {
    for (const [wireName, tool] of this.entriesOf(tools)) this.#tools.set(wireName, tool);
    return Promise.resolve();
  }

  /** Takes tools away, by the names that the model knows them by. */
  removeTools(wireNames: Iterable<string>): Promise<void> {
    for (const wireName of wireNames) this.#tools.delete(wireName);
    return Promise.resolve();
  }

  /** The names of the tools as the model gets them. */
  get toolNames(): string[] {
    return [...this.#tools.keys()];
  }

  /**
   * One turn of the conversation; resolves with the reply's text. Rejects if the model cannot be reached, the turn is
   * cancelled or takes too many rounds: the conversation is then unchanged. Failures of tools are sent to the model and
   * do not reject.
   */
  async chat(text: string, { signal }: ChatOptions = {}): Promise<string> {
    if (this.#systemPrompt === undefined) throw new Error('The agent has not begun: call initialize first.');
    this.#refuseWhileBusy();
    this.#busy = true;
    try {
      signal?.throwIfAborted();
      return await this.runTurn(text, this.#systemPrompt, signal);
    } finally {
      this.#busy = false;
    }
  }

  #refuseWhileBusy(): void {
    if (this.#busy) throw new Error('The agent is busy with another turn: wait for its reply, or cancel it.');
  }

  /** The tools by the names that the model gets. */
  protected get tools(): ReadonlyMap<string, Tool> {
    return this.#tools;
  }

  /** Each tool with the name that the model gets. */
  abstract entriesOf(tools: Tools): Iterable<readonly [wireName: string, tool: Tool]>;

  /** Drops the conversation so far. */
  protected abstract forget(): void;

  /** Asks the model and runs what it calls until it has replied. Keeps the turn only if it succeeds. */
  protected abstract runTurn(text: string, systemPrompt: string, signal: AbortSignal | undefined): Promise<string>;
}
