/** Characters of a link: a page of a sign-in has a request in its address. */
const maxLength = 8_192;

/**
 * A link to a page that may be opened in the user's browser, normalised: http or https, a host, no name or password in it.
 * Undefined for everything else; other schemes start other programs. Imports nothing, so that the page can import it.
 */
export function webLink(text: string): string | undefined {
  if (text.length > maxLength || !URL.canParse(text)) return undefined;
  const { protocol, hostname, username, password, href } = new URL(text);
  const isPage = ['http:', 'https:'].includes(protocol) && hostname !== '' && username === '' && password === '';
  return isPage && href.length <= maxLength ? href : undefined;
}
