import type { JsonPath } from './json/jsonNode.ts';

/** The keys of a JSON Pointer (RFC 6901), as the engine names places. */
export function pointerPath(pointer: string): JsonPath {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
