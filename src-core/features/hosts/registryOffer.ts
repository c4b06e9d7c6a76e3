import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ExecutionOptions, PendingCall } from '../../engine/executionOptions.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import { newCallId } from '../../engine/newCallId.ts';
import { ToolError } from '../../base/errors.ts';
import { nearestNames } from '../../base/nearestNames.ts';
import { version } from '../../base/version.ts';
import type { Clock } from '../../base/clock.ts';
import {
  createToolRegistryManager,
  type DepartedTool,
  type ToolRegistryManager,
} from '../../registry/toolRegistryManager.ts';
import type { CallHost } from '../../registry/types.ts';
import { currentCallId } from '../frames/mcp/mcpFrames.ts';
import type { ExportedTool, ExportedTools } from './exportedTools.ts';
import { createHostCounts, type HostCounts } from './hostCounts.ts';
import { gatherChanges, type OfferedPrompts, type OfferedResources, type ToolScope } from './offered.ts';
import type { CallingHost, HostOffer } from './hostServer.ts';
import { searchOffer } from './searchOffer.ts';
import { toToolResult, type KeepBlock } from './toolResult.ts';

/** Characters of a name that no tool has. */
const maxName = 200;

/** Decides on a call that must be confirmed. */
export type ConfirmHostCall = (
  pending: PendingCall,
  asked: { caller: CallingHost; host: CallHost; toolName: string },
) => ReturnType<NonNullable<ExecutionOptions['onBeforeExecute']>>;

export interface RegistryOfferOptions {
  tools: ExportedTools;
  scope: ToolScope;
  execution: (
    caller: CallingHost,
    toolName: string,
  ) => Omit<ExecutionOptions, 'caller' | 'consumer' | 'signal' | 'host' | 'shownName' | 'onBeforeExecute'>;
  /** Decides on calls that must be confirmed. They fail without it. */
  confirm?: ConfirmHostCall;
  /** Keeps large pictures, which are omitted from answers without it. */
  keep?: KeepBlock;
  resources?: OfferedResources;
  prompts?: OfferedPrompts;
  complete?: NonNullable<HostOffer['complete']>;
  /** Calls the listener with changes of anything but tools. Returns the function that unsubscribes. */
  onOtherChange?: HostOffer['onChange'];
  instructions?: () => string | undefined;
  /** Whether `find_tool` and `call_tool` stand for the tools. */
  finds?: () => boolean;
  /** The counts that limit the calls. By default, the offer has its own. */
  counts?: HostCounts;
  clock: Pick<Clock, 'after'>;
}

function noSuchTool(name: string, offered: readonly ExportedTool[]): string {
  const [nearest] = nearestNames({ query: name, items: offered, keysOf: ({ tool }) => [tool.name], limit: 1 });
  const what = `There is no tool "${name}".`;
  return nearest === undefined ? what : `${what} Did you mean "${nearest.tool.name}"?`;
}

/**
 * Offers the tools of a scope. A call runs through the executor with the options that `execution` returns, and under the
 * caller `mcp`.
 */
export function createRegistryOffer(options: RegistryOfferOptions): HostOffer {
  const { tools, scope, execution, confirm, keep, finds, counts = createHostCounts(), clock } = options;
  const all: HostOffer = {
    serverInfo: { name: 'toolwire', title: 'Toolwire', version },
    ...(options.instructions && { instructions: options.instructions }),
    ...(options.resources && { resources: options.resources }),
    ...(options.prompts && { prompts: options.prompts }),
    ...(options.complete && { complete: options.complete }),
    tools: () => tools.list(scope).map(({ tool }) => tool),
    tool: (name) => tools.find(scope, name)?.tool,
    async call({ name, args, caller, signal, host, onProgress }) {
      const target = tools.find(scope, name);
      if (target === undefined) return undefined;
      using place = counts.calls.enter(caller.id);
      if (place === undefined) return tooManyCalls(counts.calls.most);
      const given = execution(caller, name);
      const result = await executeSingleRequest(
        { toolName: target.registryId, command: target.methodName, args },
        {
          ...given,
          ...(target.departed && { toolRegistryManager: registryWithout(target.departed) }),
          caller: 'mcp',
          consumer: tools.consumer,
          shownName: name,
          newId,
          signal,
          host,
          ...(confirm && {
            async onBeforeExecute(_request, pending) {
              using question = counts.questions.enter(caller.id);
              if (question === undefined) throw tooManyQuestions(counts.questions.most);
              return await confirm(pending, { caller, host, toolName: name });
            },
          }),
          onProgress(progress) {
            given.onProgress?.(progress);
            onProgress(progress);
          },
        },
      );
      return toToolResult(result, keep);
    },
    async refuse({ name, args, caller }) {
      const shownName = name.slice(0, maxName);
      const withheld = tools.withheld(scope).find(({ tool }) => tool.name === name);
      const { error } = await executeSingleRequest(
        { ...targetOf(withheld, shownName), args },
        {
          ...execution(caller, shownName),
          // Whatever other tools there are, this host is not offered one of that name.
          ...(!withheld && { toolRegistryManager: createToolRegistryManager() }),
          caller: 'mcp',
          consumer: tools.consumer,
          shownName,
          newId,
          // It ends with the reason, without a question, and does not run even if the tool is accepted meanwhile.
          signal: AbortSignal.abort(),
        },
      );
      return withheld && error ? error.message : noSuchTool(shownName, tools.list(scope));
    },
    onChange(listener) {
      const describe = (): string => JSON.stringify(offered.tools());
      let known = describe();
      const announce = (): void => {
        const now = describe();
        if (now !== known) listener('tools');
        known = now;
      };
      const unsubscribe = gatherChanges({ clock, subscribe: tools.onChange, announce });
      const unsubscribeOther = options.onOtherChange?.(listener);
      return () => {
        unsubscribe();
        unsubscribeOther?.();
      };
    },
  };
  const offered = finds === undefined ? all : searchOffer(all, finds);
  return offered;
}

/** The id that the frames of the host's request have, too. */
function newId(): string {
  return currentCallId() ?? newCallId();
}

/** A registry that only remembers a tool: its call fails with when the source left, whatever the names of other tools are. */
function registryWithout(departed: DepartedTool): ToolRegistryManager {
  const manager = createToolRegistryManager();
  manager.addDeparted(departed);
  return manager;
}

function tooManyCalls(most: number): CallToolResult {
  const text = `This host has ${most} calls running already. Call again when one of them has ended.`;
  return { content: [{ type: 'text', text }], isError: true };
}

function tooManyQuestions(most: number): ToolError {
  return new ToolError(
    'confirmation-required',
    `${most} calls of this host wait for the user already. Call again when one of them is decided.`,
  );
}

/** A withheld tool by its registry, so that the call ends with the reason; any other name as it is. */
function targetOf(withheld: ExportedTool | undefined, name: string): { toolName: string; command?: string } {
  return withheld ? { toolName: withheld.registryId, command: withheld.methodName } : { toolName: name };
}
