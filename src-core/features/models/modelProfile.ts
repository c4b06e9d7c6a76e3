import type { ModelScript } from './modelScript.ts';
import type { ModelPreset } from './presets.ts';

interface ProfileBase {
  /** Assigned by the workbench; `scripted` is the model that always exists. */
  id: string;
  /** For display. */
  label: string;
}

/** A model behind a server. Its key is kept elsewhere. */
export interface ServerModelProfile extends ProfileBase {
  kind: 'openai-compatible';
  preset: ModelPreset['id'];
  /** As `readBaseUrl` takes it. */
  baseUrl: string;
  /** The model's name on the server. */
  model: string;
  /** False asks for each reply in one piece. */
  stream: boolean;
  /** 0 to 2; the server's default if absent. A temperature in the request overrides it. */
  temperature?: number | undefined;
  /** Tokens of a reply; the server's default if absent. */
  maxTokens?: number | undefined;
  /** ms for a whole reply. */
  totalMs: number;
  /** ms between two parts of a streamed reply. */
  chunkMs: number;
}

/** A model that answers from its script. */
export interface ScriptedModelProfile extends ProfileBase {
  kind: 'scripted';
  script: ModelScript;
}

/** A chat model that the user has set up. */
export type ModelProfile = ServerModelProfile | ScriptedModelProfile;
