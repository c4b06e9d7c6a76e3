import type { ListenerInfo } from '../../api/types.ts';
import { findFreePort } from './findFreePort.ts';
import { findPortHolder } from './findPortHolder.ts';

/** Who has a port that we wanted, where the system tells, and one that is free. */
export async function describeConflict(host: string, port: number): Promise<NonNullable<ListenerInfo['conflict']>> {
  const [{ program, pid }, freePort] = await Promise.all([findPortHolder(port), findFreePort(host, port)]);
  return {
    port,
    freePort,
    ...(program === undefined ? {} : { program }),
    ...(pid === undefined ? {} : { pid }),
  };
}

/** A conflict on `host` in words, with what to do. */
export function conflictText(host: string, conflict: NonNullable<ListenerInfo['conflict']>): string {
  const { port, program, pid, freePort } = conflict;
  const who = `${program ?? 'another program'}${pid === undefined ? '' : ` (process ${pid})`}`;
  return `Port ${port} on ${host} is in use by ${who}. End it and try again, or take port ${freePort}.`;
}
