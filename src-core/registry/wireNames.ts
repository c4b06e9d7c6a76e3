import { createHash } from 'node:crypto';

/** The tool names of one conversation in a form that models accept. */
export interface WireNames {
  /** The name that is sent to the model. A name that was not in the set (a tool that was added later or removed) gets its own. */
  toWire: (name: string) => string;
  /** The tool's own name; undefined for an unknown name, as a model may invent one. */
  fromWire: (wireName: string) => string | undefined;
}

const fits = /^[a-zA-Z0-9_-]{1,64}$/;
const maxLength = 64;
/** Hexadecimal digits of the suffix that distinguishes names. */
const markLength = 8;

/**
 * Maps tool names to `^[a-zA-Z0-9_-]{1,64}$` and back; no two names share one (docs/protocols/gateway.md#tool-names). A
 * name that fits stays as it is; a dot or the like becomes `_` if no other name has the result; every other name (too
 * long, not ASCII, or one of several that would look the same) ends in eight digits of its hash. Depends on the set of
 * names, not on their order.
 */
export function createWireNames(names: Iterable<string>): WireNames {
  const wireOf = new Map<string, string>();
  const nameOf = new Map<string, string>();

  function give(name: string, wireName: string): string {
    wireOf.set(name, wireName);
    nameOf.set(wireName, name);
    return wireName;
  }

  function giveMarked(name: string): string {
    const readable = plain(name).slice(0, maxLength - markLength - 1);
    const start = /[a-zA-Z0-9]/.test(readable) ? readable : 'tool';
    for (let attempt = 0; ; attempt += 1) {
      const wireName = `${start}_${mark(name, attempt)}`;
      if (!nameOf.has(wireName)) return give(name, wireName);
    }
  }

  const all = [...new Set(names)].sort();
  const rest = all.filter((name) => !fits.test(name));
  for (const name of all) if (fits.test(name)) give(name, name);
  const alike = new Map<string, number>();
  for (const name of rest) alike.set(plain(name), (alike.get(plain(name)) ?? 0) + 1);
  const alone = (name: string): boolean => isReadable(name) && alike.get(plain(name)) === 1 && !nameOf.has(plain(name));
  for (const name of rest) if (alone(name)) give(name, plain(name));
  for (const name of rest) if (!wireOf.has(name)) giveMarked(name);

  return {
    toWire(name) {
      const known = wireOf.get(name);
      if (known !== undefined) return known;
      const late = fits.test(name) || isReadable(name) ? plain(name) : undefined;
      return late !== undefined && !nameOf.has(late) ? give(name, late) : giveMarked(name);
    },
    fromWire: (wireName) => nameOf.get(wireName),
  };
}

/** One `_` for each character that may not be there. */
function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}

/** True if only the separators between words are lost. */
function isReadable(name: string): boolean {
  return fits.test(plain(name)) && /[a-zA-Z0-9]/.test(name) && !/[^\x20-\x7e]/.test(name);
}

function mark(name: string, attempt: number): string {
  return createHash('sha256').update(`${name}\0${attempt}`).digest('hex').slice(0, markLength);
}
