import { EventEmitter } from 'node:events';

import type { Clock } from '../base/clock.ts';
import type { ToolConsumer, ToolSource } from '../base/toolTypes.ts';
import type { Settings, WorkbenchTopic } from '../contract/types.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import type { SecretStore } from '../store/secretStore.ts';
import type { Store } from '../store/types.ts';

/** The settings after a change. */
export interface SettingsChange {
  next: Settings;
  /** Whether one of these settings has another value than before. */
  isOf(...keys: (keyof Settings)[]): boolean;
  /** Delays the answer of the request that changes the settings. It rejects if `work` does. */
  waitUntil(work: Promise<unknown>): void;
}

/** The events by which features notify one another. */
interface Events {
  /** Data of this topic, which windows show, has changed. */
  changed: [topic: WorkbenchTopic];
  settingsChanged: [change: SettingsChange];
  /** Only these consumers are offered the tools of a source, which need not be connected. */
  consumersChanged: [source: Pick<ToolSource, 'kind' | 'id'>, consumers: readonly ToolConsumer[]];
}

/** The event bus of a workbench. */
export type EventBus = EventEmitter<Events>;

/** Creates an event bus. Any number of features can listen to an event. */
export function createEventBus(): EventBus {
  return new EventEmitter<Events>().setMaxListeners(0);
}

/** What every feature is opened with. */
export interface FeatureContext {
  store: Store;
  events: EventBus;
  toolRegistryManager: ToolRegistryManager;
  secrets: SecretStore;
  settings: () => Settings;
  clock: Clock;
  /** Aborted when the workbench begins to close. */
  closing: AbortSignal;
  /** Called with errors that belong to no request. */
  onError: (error: unknown, where?: string) => void;
}
