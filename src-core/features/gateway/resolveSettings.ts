import type { GatewaySettingKey, GatewaySettings, ResolvedSetting, SettingValue } from '../../contract/gateway.ts';
import { isGatewaySettingKey, settingDefinitions, type SettingRule } from './settings.ts';

/** Every setting, and all of them with their origins. */
export interface ResolvedSettings {
  values: GatewaySettings;
  /** In the order of docs/protocols/gateway.md#settings. */
  list: ResolvedSetting[];
}

/** The sources of settings: `settings` override `env`. */
export interface SettingSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Set by the user. An invalid value is not used, and is reported in `problem`. */
  settings: Readonly<Partial<Record<GatewaySettingKey, unknown>>>;
  /** Override the defaults: for example, the desktop listens on this machine only. */
  defaults?: Readonly<Partial<GatewaySettings>>;
}

/** Merges the defaults, the environment and the settings. Never throws; invalid values are in `problem`. */
export function resolveSettings(sources: SettingSources): ResolvedSettings {
  const keys = Object.keys(settingDefinitions).filter(isGatewaySettingKey);
  const list = keys.map((key) => resolve(key, sources));
  // Each value has passed the rule of its key, which matches its type in GatewaySettings.
  const values = Object.fromEntries(list.map(({ key, value }) => [key, value])) as unknown as GatewaySettings;
  return { values, list };
}

type Value = Exclude<SettingValue, null>;

function resolve(key: GatewaySettingKey, { env, settings, defaults }: SettingSources): ResolvedSetting {
  const { variable, rule, default: seeds } = settingDefinitions[key];
  const usual: SettingValue = defaults?.[key] ?? seeds;
  const setting = settings[key];
  const text = variable === undefined ? undefined : env[variable]?.trim();
  const fromEnv = text === undefined || text === '' ? undefined : readText(text, rule);
  const fromSetting = setting === undefined ? undefined : fitting(setting, rule);
  const resolved: ResolvedSetting = { key, value: usual, origin: 'default', default: usual };
  if (fromEnv !== undefined) Object.assign(resolved, { value: fromEnv, origin: 'environment' });
  else if (text) resolved.problem = `${variable} must be ${wantedBy(rule)}.`;
  if (fromSetting !== undefined) Object.assign(resolved, { value: fromSetting, origin: 'settings' });
  else if (setting !== undefined) resolved.problem = `This must be ${wantedBy(rule)}.`;
  return { ...resolved, ...(variable !== undefined && { variable }) };
}

/** Parses a variable's text by its rule; undefined if it is invalid. */
function readText(text: string, rule: SettingRule): Value | undefined {
  switch (rule.kind) {
    case 'boolean': {
      if (/^(true|1|yes|on)$/i.test(text)) return true;
      return /^(false|0|no|off)$/i.test(text) ? false : undefined;
    }
    case 'number':
      return /^\d+(\.\d+)?$/.test(text) ? fitting(Number(text), rule) : undefined;
    case 'choice': {
      // Python's loggers accept WARN, too.
      const word = text.toLowerCase() === 'warn' ? 'warning' : text.toLowerCase();
      return rule.choices.find((choice) => choice.toLowerCase() === word);
    }
    case 'text':
      return fitting(rule.nullIsEmpty && text === 'null' ? '' : text, rule);
  }
}

/** The value if it satisfies its rule, else undefined. */
function fitting(value: unknown, rule: SettingRule): Value | undefined {
  switch (rule.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'number':
      if (typeof value !== 'number' || !(value >= rule.min && value <= rule.max)) return undefined;
      return rule.whole && !Number.isInteger(value) ? undefined : value;
    case 'choice':
      return typeof value === 'string' && rule.choices.includes(value) ? value : undefined;
    case 'text':
      if (typeof value !== 'string' || value.length > rule.maxLength) return undefined;
      return rule.pattern?.test(value) === false || rule.fits?.(value) === false ? undefined : value;
  }
}

/** Why a value is invalid for this setting, in a sentence; undefined if it is valid. */
export function settingProblem(key: GatewaySettingKey, value: unknown): string | undefined {
  const { rule } = settingDefinitions[key];
  return fitting(value, rule) === undefined ? `This must be ${wantedBy(rule)}.` : undefined;
}

function wantedBy(rule: SettingRule): string {
  switch (rule.kind) {
    case 'boolean':
      return 'true or false';
    case 'number':
      return `${rule.whole ? 'a whole number' : 'a number'} from ${rule.min} to ${rule.max}`;
    case 'choice':
      return `one of ${rule.choices.join(', ')}`;
    case 'text':
      return `${rule.wanted}, at most ${rule.maxLength} characters`;
  }
}
