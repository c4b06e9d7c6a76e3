/**
 * Standard output belongs to the protocol while `toolwire mcp` runs. This file imports nothing, so that it can be loaded
 * before anything that writes.
 */
const { stdout, stderr } = process;
const write = stdout.write.bind(stdout);

/** Sends what the console, a module or a library writes to standard output to standard error. */
export function takeStandardOutput(): void {
  stdout.write = stderr.write.bind(stderr);
}

/** Writes a line of the protocol. */
export function writeProtocolLine(text: string): void {
  write(`${text}\n`);
}
