import type { JsonObject } from '../../base/json.ts';
import type { DefinitionChange, ToolWarning } from '../../contract/serverTools.ts';
import type { ListedTool, ListFault } from '../../mcp/types.ts';
import { definitionWarnings, type WarningsBeside } from './definitionWarnings.ts';
import type { ServerLists } from './readLists.ts';

/** What a server listed last. It is kept while the server is not connected. */
export class Listed {
  tools: readonly ListedTool[] = [];
  faults: readonly ListFault[] = [];
  /** Tools whose definitions are not accepted. */
  changes: readonly DefinitionChange[] = [];
  /** A template counts as a resource. */
  counts = { tools: 0, resources: 0, prompts: 0 };
  lists: ServerLists = { resources: [], templates: [], prompts: [] };
  /** The last readings of the lists. One that failed rejects. */
  readings: Partial<Record<keyof ServerLists, Promise<readonly JsonObject[]>>> = {};
  readonly #deps: ListedDeps;
  /** The access that the user has just allowed: tools that the next list adds are due to it. */
  allowed: DefinitionChange['since'];
  readonly #since = new Map<string, DefinitionChange['since']>();
  #withheld = new Set<string>();
  #warnings: ReadonlyMap<string, WarningsBeside> = new Map();

  constructor(deps: ListedDeps) {
    this.#deps = deps;
  }

  isWithheld(tool: string): boolean {
    return this.#withheld.has(tool);
  }

  /** The changes with the warnings of the new definitions. `others` are the names of other servers' tools. */
  changesBeside(others: ReadonlySet<string>): DefinitionChange[] {
    return this.changes.map((change) => ({ ...change, ...this.warningsOf(change.tool, others) }));
  }

  /** The warnings of a tool, if it has some. `others` are the names of other servers' tools. */
  warningsOf(tool: string, others: ReadonlySet<string>): { warnings?: ToolWarning[] } {
    const warnings = this.#warnings.get(tool)?.(others) ?? [];
    return warnings.length === 0 ? {} : { warnings };
  }

  /** Finds out which tools are withheld. */
  checkDefinitions(): void {
    this.changes = this.#deps.check(this.tools).map((change) => {
      const since = change.kind === 'added' ? this.#since.get(change.tool) : undefined;
      return since === undefined ? change : { ...change, since };
    });
    this.#withheld = new Set(this.changes.map(({ tool }) => tool));
  }

  setTools({ tools, faults }: { tools: ListedTool[]; faults: ListFault[] }): void {
    const names = new Set<string>();
    // The first of a name is the one that a call reaches.
    const before = new Set(this.tools.map(({ name }) => name));
    this.tools = tools.filter(({ name }) => !names.has(name) && names.add(name));
    if (this.allowed) for (const name of names) if (!before.has(name)) this.#since.set(name, this.allowed);
    this.allowed = undefined;
    this.faults = faults;
    this.#warnings = new Map(this.tools.map((tool) => [tool.name, definitionWarnings(tool)]));
    this.checkDefinitions();
    this.counts = { ...this.counts, tools: this.tools.length };
    this.#deps.onChange();
  }

  async setList(kind: keyof ServerLists, items: Promise<JsonObject[]>, signal: AbortSignal): Promise<void> {
    this.readings = { ...this.readings, [kind]: items };
    // A failure is that of the reading, and of whoever asks for the list.
    const found = await items.catch(() => undefined);
    if (found === undefined || signal.aborted) return;
    this.lists = { ...this.lists, [kind]: found };
    const { resources, templates, prompts } = this.lists;
    this.counts = { ...this.counts, resources: resources.length + templates.length, prompts: prompts.length };
    this.#deps.onChange();
  }
}

interface ListedDeps {
  /** Which of its definitions are not accepted. */
  check: (tools: readonly ListedTool[]) => DefinitionChange[];
  onChange: () => void;
}
