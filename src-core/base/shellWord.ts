/** A text as one word of a POSIX shell; on Windows, of cmd.exe and PowerShell, with quotes only if needed: PowerShell does not run a path in quotes. */
export function shellWord(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return /^[\p{L}\p{N}_./:=\\-]+$/u.test(word) ? word : `"${word}"`;
  return /^[\w./:=%-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
