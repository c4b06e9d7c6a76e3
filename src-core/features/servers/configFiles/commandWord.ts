/** One word of a command line that is shown: quoted if it holds spaces or characters that mean something to a shell. */
export function commandWord(text: string): string {
  return /^[\w@%+=:,./\\~${}*-]+$/.test(text) ? text : JSON.stringify(text);
}
