/** The form of a scripted model, as it is being typed. */
export interface ScriptDraft {
  label: string;
  /** The script as JSON; empty where it is the engine's own. */
  text: string;
}
