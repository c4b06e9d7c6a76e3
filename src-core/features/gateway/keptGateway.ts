import * as z from 'zod';

import type { GatewaySettingKey } from '../../contract/gateway.ts';
import { isGatewaySettingKey } from './settings.ts';
import { settingProblem } from './resolveSettings.ts';
import { RequestError } from '../../base/requestError.ts';
import type { SettingsStore } from '../../store/types.ts';

const key = 'gateway';
const value = z.union([z.string(), z.number(), z.boolean()]);
const stored = z.object({
  enabled: z.boolean(),
  modelId: z.string().optional(),
  settings: z.record(z.string(), value),
});

/** The user's settings for the gateway, kept across restarts. */
export interface KeptGateway {
  enabled: boolean;
  /** The model that was chosen. */
  modelId?: string;
  settings: Partial<Record<GatewaySettingKey, string | number | boolean>>;
}

/** Whether a setting comes with the model, and is set by choosing another. */
export function isOfTheModel(name: string): boolean {
  return name === 'baseUrl' || name === 'model' || name === 'apiKey';
}

/** Whether a setting is only for `toolwire gateway`: the app does not write that log. */
export function isOfTheCommand(name: string): boolean {
  return name === 'logLevel' || name === 'logFormat';
}

/** Reads the stored settings. If they are no longer valid, returns the defaults and calls `onError`. */
export function loadKeptGateway(store: SettingsStore, onError: (error: unknown) => void): KeptGateway {
  try {
    const found = store.get(key);
    if (found === undefined) return { enabled: false, settings: {} };
    const { enabled, modelId, settings } = stored.parse(found);
    // Keys of a newer version are ignored.
    const known = Object.entries(settings).filter(([name]) => isGatewaySettingKey(name));
    return { enabled, ...(modelId !== undefined && { modelId }), settings: Object.fromEntries(known) };
  } catch (cause) {
    onError(new Error('The stored settings of the gateway are not valid and their defaults are used', { cause }));
    return { enabled: false, settings: {} };
  }
}

/** Stores the settings of the gateway. */
export function saveKeptGateway(store: SettingsStore, { enabled, modelId, settings }: KeptGateway): void {
  store.set(key, { enabled, settings, ...(modelId !== undefined && { modelId }) });
}

/**
 * The settings after a change; null resets a value.
 * @throws {RequestError} If a key is unknown or a value is invalid; the field is `settings.<key>`.
 */
export function changedSettings(
  settings: KeptGateway['settings'],
  change: Readonly<Record<string, string | number | boolean | null>>,
): KeptGateway['settings'] {
  const next = new Map(Object.entries(settings));
  for (const [name, given] of Object.entries(change)) {
    const field = `settings.${name}`;
    if (!isGatewaySettingKey(name) || isOfTheCommand(name))
      throw new RequestError(`The gateway has no setting "${name}".`, { field });
    if (isOfTheModel(name))
      throw new RequestError('Address, name and key are those of the model: choose one with modelId.', { field });
    const problem = given === null ? undefined : settingProblem(name, given);
    if (problem !== undefined) throw new RequestError(problem, { field });
    if (given === null) next.delete(name);
    else next.set(name, given);
  }
  return Object.fromEntries(next);
}
