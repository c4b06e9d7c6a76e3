import { reportError, type ErrorReporter } from '../base/reportError.ts';
import { toToolRegistry, type ObjectTool } from './objectTool.ts';
import type { ToolRegistry } from './types.ts';
import type { ToolSource } from '../base/toolTypes.ts';

/** A change of a registry. `unregistered` contains the registry that was removed. */
export interface ToolRegistryEvent {
  type: 'registered' | 'unregistered' | 'changed';
  id: string;
  registry: ToolRegistry;
}

/** A tool that is not registered any more. */
export interface DepartedTool {
  id: string;
  source: ToolSource;
  /** Epoch ms. */
  leftAt: number;
  /** The name of the node of its device, if it was lost: the device may be connected there. */
  lostNode?: string | undefined;
}

/** The registry of all callable tools: sources register when they appear and unregister when they end. */
export interface ToolRegistryManager {
  /** Grows by one with every event; equal revisions mean equal tools and methods. */
  readonly revision: number;
  /** The revision at which this tool was registered, or last changed; `undefined` if none of that id is registered. */
  revisionOf(id: string): number | undefined;
  /**
   * Adds a registry, or an object with functions, which it converts to one. Throws an Error if the id is in use or
   * invalid. Returns a function that removes exactly this registry.
   */
  register(tool: ToolRegistry | ObjectTool): () => void;
  /** True if a registry of that id was registered. */
  unregister(id: string, why?: Pick<DepartedTool, 'lostNode'>): boolean;
  getTool(id: string): ToolRegistry | undefined;
  /** In the order of registration. */
  getAllTools(): ToolRegistry[];
  /** The tools that were removed and not registered again, newest first; at most 256. */
  departed(): readonly DepartedTool[];
  /** Adds one that left before this process started. */
  addDeparted(tool: DepartedTool): void;
  /** To be called by a source whose methods changed. False if no such id is registered. */
  notifyChanged(id: string): boolean;
  /** Listeners get every event in order, also those emitted while they run. Returns the function that unsubscribes. */
  onChange(listener: (event: ToolRegistryEvent) => void): () => void;
}

/** In UTF-16 code units. */
export const maximumToolIdLength = 200;

const maximumDeparted = 256;

/** Creates an empty registry manager. `onError` is called if a listener throws; the other listeners still run. */
export function createToolRegistryManager({
  onError = reportError,
}: { onError?: ErrorReporter } = {}): ToolRegistryManager {
  const tools = new Map<string, ToolRegistry>();
  const revisions = new Map<string, number>();
  // One entry a subscription, so that the same function may listen twice.
  const listeners = new Set<Listening>();
  const queue: ToolRegistryEvent[] = [];
  const departed = new Map<string, DepartedTool>();
  let delivering = false;
  let revision = 0;

  function announce(type: ToolRegistryEvent['type'], registry: ToolRegistry): void {
    revision += 1;
    if (type === 'unregistered') revisions.delete(registry.id);
    else revisions.set(registry.id, revision);
    queue.push({ type, id: registry.id, registry });
    // A listener that changes the tools gets its own event after the present one has reached everybody.
    if (delivering) return;
    delivering = true;
    for (let event = queue.shift(); event !== undefined; event = queue.shift()) deliver(event, listeners, onError);
    delivering = false;
  }

  function addDeparted(tool: DepartedTool): void {
    departed.delete(tool.id);
    departed.set(tool.id, tool);
    for (const oldest of departed.keys()) if (departed.size > maximumDeparted) departed.delete(oldest);
  }

  function remove(registry: ToolRegistry | undefined, why?: Pick<DepartedTool, 'lostNode'>): boolean {
    if (registry === undefined || tools.get(registry.id) !== registry) return false;
    tools.delete(registry.id);
    const { id, source } = registry;
    addDeparted({ id, source, leftAt: Date.now(), ...why });
    announce('unregistered', registry);
    return true;
  }

  return {
    get revision() {
      return revision;
    },
    revisionOf: (id) => revisions.get(id),
    register(tool) {
      checkId(tool.id);
      const registry = toToolRegistry(tool);
      if (tools.get(registry.id)?.yields === true) remove(tools.get(registry.id));
      const present = tools.get(registry.id);
      if (present !== undefined) {
        throw new Error(
          `The tool id "${registry.id}" is taken by ${present.source.kind} "${present.source.label}". ` +
            'Unregister that one first, or register under another id.',
        );
      }
      tools.set(registry.id, registry);
      departed.delete(registry.id);
      announce('registered', registry);
      return () => void remove(registry);
    },
    unregister: (id, why) => remove(tools.get(id), why),
    getTool: (id) => tools.get(id),
    getAllTools: () => [...tools.values()],
    departed: () => [...departed.values()].reverse(),
    addDeparted,
    notifyChanged(id) {
      const registry = tools.get(id);
      if (registry === undefined) return false;
      announce('changed', registry);
      return true;
    },
    onChange(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}

type Listening = { listener: (event: ToolRegistryEvent) => void };

function deliver(event: ToolRegistryEvent, listeners: Iterable<Listening>, onError: ErrorReporter): void {
  for (const { listener } of [...listeners]) {
    try {
      listener(event);
    } catch (error) {
      onError(error, `a listener to the tool registry, at "${event.type}" of "${event.id}"`);
    }
  }
}

function checkId(id: unknown): void {
  if (typeof id !== 'string' || id.trim() === '' || id.length > maximumToolIdLength)
    throw new Error(`A tool id is text of 1 to ${maximumToolIdLength} characters; got ${describe(id)}.`);
}

function describe(id: unknown): string {
  return typeof id === 'string' ? `${id.length} characters${id.trim() === '' ? ', all blank' : ''}` : typeof id;
}
