/**
 * The process that listens on a port, of what `netstat -ano` prints on Windows. The word for LISTENING is translated
 * there; what listens has the foreign port 0.
 */
export function netstatPid(output: string, port: number): number | undefined {
  for (const line of output.split('\n')) {
    const [protocol, local, foreign, , pid] = line.trim().split(/\s+/);
    if (protocol === 'TCP' && local?.endsWith(`:${port}`) === true && foreign?.endsWith(':0') === true)
      return Number(pid) > 0 ? Number(pid) : undefined;
  }
  return undefined;
}
