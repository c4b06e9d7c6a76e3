import { eventIterator, oc, type } from '@orpc/contract';

import type { WorkbenchEvent, WorkbenchInfo } from '../types.ts';

export const workbench = {
  info: oc.output(type<WorkbenchInfo>()),
  /** Runs until the caller stops listening. */
  events: oc.output(eventIterator(type<WorkbenchEvent>())),
};
