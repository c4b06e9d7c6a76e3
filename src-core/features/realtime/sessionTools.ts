import { isOfferedTo } from '../../registry/isOfferedTo.ts';
import { resolveToolEnabled } from '../../engine/resolveToolEnabled.ts';
import type { ToolDiscoveryService } from '../../engine/discovery.ts';
import { maxFunctions } from '../models/promptLimits.ts';
import { realtimeLimits } from '../../realtime/limits.ts';
import type { ToolCallConfig } from '../../base/calls.ts';
import type { MethodMetadata } from '../../base/toolTypes.ts';
import type { ToolDefinition } from '../../registry/toolDefinition.ts';

/** A method by its tool and name. */
export interface ToolRef {
  toolId: string;
  methodName: string;
}

/**
 * The tools that a conversation offers: all that are enabled for agents, the chosen methods, or all of one tool in
 * addition to the chosen ones.
 */
export interface ToolChoice {
  chosen?: readonly ToolRef[] | undefined;
  /** Called each time: the tool of a device exists only while the device is connected. */
  toolId?: (() => string | undefined) | undefined;
}

/** Tools that are offered to a model at once. */
const maxTools = Math.min(maxFunctions, realtimeLimits.tools);

interface OfferedMethod {
  ref: ToolRef;
  method: MethodMetadata;
}

/** The tools of one conversation, by qualified name; `RealtimeStation` converts them to names that a model accepts. */
export class SessionTools {
  readonly #discovery: ToolDiscoveryService;
  readonly #config: () => ToolCallConfig;

  constructor(options: { discovery: ToolDiscoveryService; config: () => ToolCallConfig }) {
    this.#discovery = options.discovery;
    this.#config = options.config;
  }

  /** The chosen methods that are registered and enabled right now, and how many did not fit. */
  offered(choice: ToolChoice): { tools: ToolDefinition[]; leftOut: number } {
    const { methods, leftOut } = this.#methods(choice);
    const tools = [...methods].map(([name, { method }]): ToolDefinition => {
      return { name, description: method.description, parameters: method.inputSchema };
    });
    return { tools, leftOut };
  }

  /** The method of a name, if it is offered right now: a model may write any name. */
  methodOf(name: string, choice: ToolChoice): ToolRef | undefined {
    return this.#methods(choice).methods.get(name)?.ref;
  }

  #methods({ chosen, toolId }: ToolChoice): { methods: Map<string, OfferedMethod>; leftOut: number } {
    const config = this.#config();
    const own = toolId?.();
    const wanted = new Set(chosen?.map(key));
    const isWanted = (ref: ToolRef): boolean => {
      if (ref.toolId === own || wanted.has(key(ref))) return true;
      return chosen === undefined && toolId === undefined;
    };
    // If two have the same qualified name, the first is offered.
    const found = new Map<string, OfferedMethod>();
    for (const { toolId: id, methods } of this.#discovery.getDiscoveredMethods((each) =>
      isOfferedTo(each, 'realtime'),
    )) {
      if (!config.enabled || !resolveToolEnabled(id, config)) continue;
      for (const method of methods) {
        const ref = { toolId: id, methodName: method.name };
        if (isWanted(ref) && !found.has(qualified(ref))) found.set(qualified(ref), { ref, method });
      }
    }
    const methods = new Map([...found].slice(0, maxTools));
    return { methods, leftOut: found.size - methods.size };
  }
}

function qualified({ toolId, methodName }: ToolRef): string {
  return `${toolId}_${methodName}`;
}

/** No id contains the separator. */
function key({ toolId, methodName }: ToolRef): string {
  return `${toolId}\0${methodName}`;
}
