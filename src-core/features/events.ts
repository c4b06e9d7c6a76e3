import { EventEmitter } from 'node:events';

import type { Settings, WorkbenchTopic } from '../contract/types.ts';

/** The settings before and after a change. */
interface SettingsChange {
  next: Settings;
  previous: Settings;
  /** Delays the answer of the request that changes the settings. It rejects if `work` does. */
  waitUntil(work: Promise<unknown>): void;
}

/** The events by which features notify one another. */
interface Events {
  /** Data of this topic, which windows show, has changed. */
  changed: [topic: WorkbenchTopic];
  settingsChanged: [change: SettingsChange];
}

/** The event bus of a workbench. */
export type EventBus = EventEmitter<Events>;

/** Creates an event bus. Any number of features can listen to an event. */
export function createEventBus(): EventBus {
  return new EventEmitter<Events>().setMaxListeners(0);
}
