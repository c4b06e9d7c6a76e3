import { nodeAt, type JsonContent, type JsonPath } from './jsonNode.ts';

/** The steps of a JSON Pointer (RFC 6901), as the engine names places, through a value: in an array they are indexes. */
export function pointerPath(pointer: string, root: JsonContent | undefined): JsonPath {
  const path: (string | number)[] = [];
  for (const part of pointer.split('/').slice(1)) {
    const step = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(nodeAt(root, path)?.kind === 'array' ? Number(step) : step);
  }
  return path;
}
