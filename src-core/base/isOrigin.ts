/**
 * Whether a text is an origin exactly as browsers send it: scheme, host and, if it is not the scheme's own, the port.
 * Pages of apps have their own schemes, such as `capacitor://localhost`.
 */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > 300 || text.includes('*')) return false;
  if (/^https?:$/.test(url.protocol)) return url.origin === text;
  return /^[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+$/.test(text);
}
