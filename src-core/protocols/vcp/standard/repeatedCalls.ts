import type { VcpRequest } from '../types.ts';

/** Finds calls that a text makes more than once. Arguments are compared only between calls of one method. */
export class RepeatedCalls {
  private readonly methods = new Map<string, { first: VcpRequest; seen: Set<string> | undefined }>();

  /** True where the same tool was called with the same arguments before. */
  add(request: VcpRequest): boolean {
    const method = `${request.toolName}\n${request.command ?? ''}`;
    const known = this.methods.get(method);
    if (known === undefined) {
      this.methods.set(method, { first: request, seen: undefined });
      return false;
    }
    known.seen ??= new Set([keyOf(known.first)]);
    const size = known.seen.size;
    return known.seen.add(keyOf(request)).size === size;
  }
}

/** Lengths stand before the texts, so that no two different calls give the same key. */
function keyOf({ args }: VcpRequest): string {
  let key = '';
  for (const name of Object.keys(args).sort()) {
    const value = args[name] ?? '';
    key += `${name}:${value.length}:${value}`;
  }
  return key;
}
