const process = crypto.randomUUID().slice(0, 8);
let count = 0;

/** A request id that no other turn has: random for this run of the program, then counted. */
export function randomId(): string {
  count++;
  return `req_${process}_${count}`;
}
