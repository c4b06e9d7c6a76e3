import { eventIterator, oc, type } from '@orpc/contract';

import type { Opening, WorkbenchEvent, WorkbenchInfo } from './types.ts';

export const workbench = {
  info: oc.output(type<WorkbenchInfo>()),
  /** Runs until the caller stops listening. */
  events: oc.output(eventIterator(type<WorkbenchEvent>())),
  /** What the desktop shell was asked to show and no window has shown, oldest first; given out once. */
  takeOpenings: oc.output(type<Opening[]>()),
};
