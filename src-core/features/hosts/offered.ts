import { AsyncLocalStorage } from 'node:async_hooks';

import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import type { CallHost } from '../../registry/types.ts';

/** The resources that a server offers. */
export interface OfferedResources {
  /** Whether changes of single resources are announced. By default, they are. */
  updates?: false;
  list(): Promise<Resource[]> | Resource[];
  templates?(): Promise<ResourceTemplateType[]> | ResourceTemplateType[];
  /** Reads a resource. Undefined if there is none. */
  read(uri: string, signal: AbortSignal): Promise<ReadResourceResult | undefined> | ReadResourceResult | undefined;
}

/** The prompts that a server offers. */
export interface OfferedPrompts {
  list(): Promise<Prompt[]> | Prompt[];
  /** Returns a prompt, for which `host` does the same as for a tool. Undefined if there is none. */
  get(
    name: string,
    args: Record<string, string>,
    options: { signal: AbortSignal; host: CallHost },
  ): Promise<GetPromptResult | undefined> | GetPromptResult | undefined;
}

/** A change that is reported to hosts. */
export type OfferChange = 'tools' | 'prompts' | 'resources' | { updated: string };

/** Which tools a connection is offered: all with the alias of their source, or those of one source with their own names. */
export type ToolScope = 'all' | { kind: 'device' | 'mcp'; id: string };

/** ms for which changes are collected before hosts are notified: a board that starts changes its list often, and many boards may start at once. */
const gatherMs = 1_000;

/** Calls `announce` once for all changes of a second. Returns the function that unsubscribes. */
export function gatherChanges(options: {
  clock: Pick<Clock, 'after'>;
  subscribe: (listener: () => void) => () => void;
  announce: () => void;
}): () => void {
  const { clock, subscribe, announce } = options;
  let stop: (() => void) | undefined;
  // The change may be noticed within a call of one host, and is announced to others.
  const outside = AsyncLocalStorage.snapshot();
  const run = (): void => {
    stop = undefined;
    outside(announce);
  };
  const unsubscribe = subscribe(() => (stop ??= clock.after(gatherMs, run)));
  return () => {
    stop?.();
    unsubscribe();
  };
}
