import { randomUUID } from 'node:crypto';

import type { ToolChanges, ToolView } from '../../contract/types.ts';

/** Methods in one answer, unless a single tool has more: about 200 kB, which a page processes within a frame or two. */
const methodsAnAnswer = 400;
/** Removed tools that are remembered; a window that has not asked since is sent all tools again. */
const mostGone = 10_000;

/** One change: the tool after it, or nothing if it was removed. */
interface Change {
  at: number;
  view: ToolView | undefined;
}

/**
 * The changes since a window last asked, one part at a time: when a thousand devices connect, each window is sent every
 * tool once, not all tools a thousand times. `current` returns the same object for an unchanged tool.
 */
export function createToolChanges(current: () => ReadonlyMap<string, ToolView>): {
  /** `since` is the `at` of the previous answer; without it, or with that of another run, all tools are returned. */
  changes(since: string | undefined): ToolChanges;
} {
  const run = randomUUID();
  /** By tool id, oldest change first. */
  const log = new Map<string, Change>();
  let last = 0;
  let gone = 0;
  /** Changes up to this one may have been forgotten. */
  let forgottenUpTo = 0;

  const note = (id: string, view: ToolView | undefined): void => {
    if (view === undefined) gone += 1;
    else if (log.has(id) && log.get(id)?.view === undefined) gone -= 1;
    log.delete(id);
    log.set(id, { at: (last += 1), view });
  };

  const catchUp = (): void => {
    const now = current();
    for (const [id, { view }] of [...log]) if (view !== undefined && !now.has(id)) note(id, undefined);
    for (const [id, view] of now) if (log.get(id)?.view !== view) note(id, view);
    for (const [id, { at, view }] of log) {
      if (gone <= mostGone) return;
      if (view !== undefined) continue;
      log.delete(id);
      gone -= 1;
      forgottenUpTo = at;
    }
  };

  const markOf = (since: string | undefined): number | undefined => {
    const [of, at] = since?.split(' ') ?? [];
    const mark = Number(at);
    return of === run && Number.isInteger(mark) && mark >= forgottenUpTo && mark <= last ? mark : undefined;
  };

  return {
    changes(since) {
      catchUp();
      const mark = markOf(since);
      const answer: ToolChanges = { whole: mark === undefined, tools: [], gone: [], at: '', more: false };
      let reached = mark ?? 0;
      let methods = 0;
      for (const [id, { at, view }] of log) {
        if (at <= reached) continue;
        const isFull = answer.tools.length > 0 && methods + (view?.methods.length ?? 0) > methodsAnAnswer;
        if (isFull) {
          answer.more = true;
          break;
        }
        reached = at;
        methods += view?.methods.length ?? 0;
        if (view !== undefined) answer.tools.push(view);
        else if (mark !== undefined) answer.gone.push(id);
      }
      answer.at = `${run} ${reached}`;
      return answer;
    },
  };
}
