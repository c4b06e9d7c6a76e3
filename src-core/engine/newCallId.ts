import { randomUUID } from 'node:crypto';

const run = randomUUID();
let calls = 0;

/** An id for a call that no other call has, in this run of the program or another: a UUID of the run, and a number. */
export function newCallId(): string {
  calls += 1;
  return `${run}-${calls}`;
}
