import type { ModelScript } from './modelScript.ts';
import type { ModelPreset } from './presets.ts';

interface ProfileBase {
  /** Given out by the workbench; `scripted` is the model that is always there. */
  id: string;
  /** For people. */
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
  /** 0 to 2; the server's own where absent. A request that names its own goes before. */
  temperature?: number | undefined;
  /** Tokens of a reply; the server's own where absent. */
  maxTokens?: number | undefined;
  /** ms for a whole reply. */
  totalMs: number;
  /** ms between two parts of a streamed reply. */
  chunkMs: number;
}

/** A model that says what its script says. */
export interface ScriptedModelProfile extends ProfileBase {
  kind: 'scripted';
  script: ModelScript;
}

/** A chat model that a person has set up. */
export type ModelProfile = ServerModelProfile | ScriptedModelProfile;
