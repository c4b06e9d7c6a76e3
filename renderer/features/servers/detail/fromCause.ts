/** The lines of stderr from the first that names an error on, without npm's empty ones; if none does, the last six. */
export function fromCause(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => /^(?:[\w.]{0,80}(?:Error|Exception)(?: \[\w+\])?: |npm error )/.test(line));
  return lines.slice(at < 0 ? -6 : at).filter((line) => !/^npm error(?: \d+)?\s*$/.test(line));
}
