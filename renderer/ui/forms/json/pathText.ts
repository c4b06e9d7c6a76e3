import type { JsonPath } from './jsonNode.ts';

/** A place as it is named to the user: `user.address.city`, `tags.1`; nothing for the whole. */
export function pathText(path: JsonPath): string {
  return path.join('.');
}
