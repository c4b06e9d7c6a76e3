/** Inodes of the sockets that listen on a port, of the text of `/proc/net/tcp` or `/proc/net/tcp6` (proc(5)). */
export function listeningInodes(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.split(':')[1] === wanted)
    .flatMap((fields) => fields[9] ?? []);
}
