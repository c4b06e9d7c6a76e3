import type { VcpRequest } from '../types.ts';

/** Finds calls that a text makes more than once. Only calls that look alike are compared in full. */
export class RepeatedCalls {
  /** By outline: the only call of it so far, or the exact keys of all once there is a second. */
  private readonly outlines = new Map<number, VcpRequest | Set<string>>();
  /** The only call so far: most texts have no other. */
  private only: VcpRequest | undefined;

  /** True if the same tool was called with the same arguments before. */
  add(request: VcpRequest): boolean {
    if (this.only === undefined) {
      this.only = request;
      return false;
    }
    if (this.outlines.size === 0) this.outlines.set(outlineOf(this.only), this.only);
    const outline = outlineOf(request);
    const known = this.outlines.get(outline);
    if (known === undefined) {
      this.outlines.set(outline, request);
      return false;
    }
    const keys = known instanceof Set ? known : new Set([keyOf(known)]);
    if (keys !== known) this.outlines.set(outline, keys);
    const { size } = keys;
    return keys.add(keyOf(request)).size === size;
  }
}

/** What calls with the same arguments have in common, whatever their order: cheap, and seldom the same by chance. */
function outlineOf({ toolName, command, args }: VcpRequest): number {
  let outline = tail(toolName) ^ tail(command ?? '');
  for (const key in args) outline = (outline + tail(args[key] ?? '') + key.length * 31) | 0;
  return outline;
}

/** A hash of a text's length and last characters. */
function tail(text: string): number {
  let hash = text.length;
  for (let at = Math.max(0, text.length - 12); at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return hash;
}

/** Each text is prefixed with its length, so that no two different calls have the same key. */
function keyOf({ toolName, command = '', args }: VcpRequest): string {
  let key = `${toolName.length}:${toolName}:${command.length}:${command}`;
  for (const name of Object.keys(args).sort()) {
    const value = args[name] ?? '';
    key += `${name}:${value.length}:${value}`;
  }
  return key;
}
