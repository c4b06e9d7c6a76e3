import type { Opening } from '../src-core/contract/types.ts';

/** The scheme that the system hands to us. A link of it shows something; it never runs anything. */
export const linkScheme = 'toolwire';

/** Characters of a link. */
const maxLength = 1_024;
/** Characters of a name in a link, decoded. */
const maxName = 256;

/**
 * What a `toolwire://` link asks for: `toolwire://pane/devices`, `toolwire://device/ID`, `toolwire://tool/NAME`, the last
 * part percent-encoded. Undefined for everything else: any web page can offer such a link, so it is read letter by
 * letter, and what it may not have (a query, a fragment, a user, a port, a further part) is no link of ours.
 */
export function readDeepLink(link: string): Opening | undefined {
  if (link.length > maxLength) return undefined;
  // Browsers and shells write the scheme in small letters and may end the path with a slash.
  const match = /^toolwire:\/\/(pane|device|tool)\/([^/?#@\\]+)\/?$/.exec(link);
  const name = match && decoded(match[2] ?? '');
  if (!name) return undefined;
  if (match[1] === 'device') return { kind: 'device', deviceId: name };
  if (match[1] === 'tool') return { kind: 'tool', qualifiedName: name };
  return /^[a-z]{1,32}$/.test(name) ? { kind: 'pane', pane: name } : undefined;
}

function decoded(text: string): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(text);
  } catch {
    return undefined; // a broken escape
  }
  return name.length <= maxName && !/\p{C}/u.test(name) ? name : undefined;
}
