/** Why a listener could not bind, for programs. */
export type ListenErrorCode = 'port-in-use' | 'port-not-permitted' | 'address-unavailable' | 'listen-failed';

/** The listener could not bind. The message says what stands in the way and what to do about it. */
export class ListenError extends Error {
  readonly code: ListenErrorCode;
  readonly host: string;
  readonly port: number;

  constructor(code: ListenErrorCode, message: string, where: { host: string; port: number; cause: unknown }) {
    super(message, { cause: where.cause });
    this.name = 'ListenError';
    this.code = code;
    this.host = where.host;
    this.port = where.port;
  }
}

/** `host:port` of the listeners of this process. */
export const ownPorts = new Set<string>();

/** The error for a bind failure of `net.Server` (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`). */
export function listenErrorFrom(
  cause: NodeJS.ErrnoException,
  host: string,
  port: number,
  platform: NodeJS.Platform = process.platform,
): ListenError {
  const where = { host, port, cause };
  switch (cause.code) {
    case 'EADDRINUSE':
      return new ListenError(
        'port-in-use',
        ownPorts.has(`${host}:${port}`)
          ? `Port ${port} on ${host} is used by Toolwire itself. Choose another port (0 selects a free one).`
          : `Port ${port} on ${host} is used by another program. Stop it, or choose another port (0 selects a free one). To find the program, run: ${findCommand(port, platform)}`,
        where,
      );
    case 'EACCES':
      return new ListenError(
        'port-not-permitted',
        `This user may not listen on port ${port}. Choose a port from 1024 to 65535 (0 selects a free one).`,
        where,
      );
    case 'EADDRNOTAVAIL':
      return new ListenError(
        'address-unavailable',
        `This machine has no address ${host}. Choose 127.0.0.1 for this machine alone, or one of its own addresses.`,
        where,
      );
    default:
      return new ListenError('listen-failed', `Could not listen on ${host}:${port}: ${cause.message}`, where);
  }
}

/** The command that shows the program that listens on a port. */
function findCommand(port: number, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `netstat -ano | findstr :${port}`;
  return platform === 'linux' ? `ss -ltnp 'sport = :${port}'` : `lsof -i :${port}`;
}
