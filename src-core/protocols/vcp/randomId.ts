/** A random request id, unique across turns. */
export function randomId(): string {
  return `req_${crypto.randomUUID().slice(0, 13)}`;
}
