const program = crypto.randomUUID().slice(0, 8);
let replies = 0;

/**
 * Makes the ids of the calls of one reply that have none of their own. No other reply has them, and each ends with the
 * number of its call in the reply, so that a model can tell which call a result belongs to.
 */
export function createRequestIds(prefix: string): (position: number) => string {
  let reply: number | undefined;
  return (position) => {
    reply ??= ++replies;
    return `${prefix}_${program}${reply}_${position}`;
  };
}
