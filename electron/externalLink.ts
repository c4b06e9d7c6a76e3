/** Characters of a link that is handed to the system. */
const maxLength = 2048;

/**
 * A link that may be opened in the person's browser, normalised: https, a host, no name or password in it. Undefined
 * for everything else; other schemes start other programs.
 */
export function externalLink(url: string): string | undefined {
  if (url.length > maxLength || !URL.canParse(url)) return undefined;
  const { protocol, hostname, username, password, href } = new URL(url);
  return protocol === 'https:' && hostname !== '' && username === '' && password === '' ? href : undefined;
}
