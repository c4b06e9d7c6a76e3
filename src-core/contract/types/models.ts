import type { ModelProfile, ScriptedModelProfile, ServerModelProfile } from '../../features/models/modelProfile.ts';
import type { ScriptIssue } from '../../features/models/modelScript.ts';
import type { JsonSchema, JsonValue } from '../../base/json.ts';

export type { ModelProfile, ScriptedModelProfile, ServerModelProfile } from '../../features/models/modelProfile.ts';
export type { ModelScript, ScriptIssue } from '../../features/models/modelScript.ts';
export type { ModelPreset } from '../../features/models/presets.ts';

/**
 * How secrets are kept: `system` in the system's own safe storage; `weak` there, but under a password that everybody
 * knows (Linux without a keyring); `file` as they are, in a file that only its owner can read.
 */
export type SecretStorage = 'system' | 'weak' | 'file';

/** A model as the window shows it. It never contains the key, only whether there is one. */
export type ModelInfo = ModelProfile & {
  hasKey: boolean;
  isDefault: boolean;
  /** Replies recorded so far; absent if none are being recorded. */
  recorded?: number;
};

/** Every model that is set up, the scripted one first. */
export interface ModelList {
  models: ModelInfo[];
  /** Where keys go. */
  keyStorage: SecretStorage;
}

/** A model as it is saved; a new one if `id` is absent. A script is any JSON and is validated. */
export type ModelChange =
  | (Omit<ServerModelProfile, 'id'> & { id?: string | undefined })
  | (Omit<ScriptedModelProfile, 'id' | 'script'> & { id?: string | undefined; script: JsonValue });

/** What the script editor needs: the form of a script, and the one a new installation has. */
export interface ScriptFormat {
  schema: JsonSchema;
  defaultScript: string;
}

/** What is wrong with the JSON of a script; empty if it can be saved. */
export interface ScriptCheck {
  issues: ScriptIssue[];
}
