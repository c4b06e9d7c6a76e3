/** The form of a scripted model while it is edited. */
export interface ScriptDraft {
  label: string;
  /** The script as JSON; empty for the engine's built-in script. */
  text: string;
}
