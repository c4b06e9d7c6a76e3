/**
 * Replaces tokens and credentials in text for a log: JSON members, query parameters, Bearer tokens. A secret may be cut off at
 * the end of the text. Takes time in proportion to the text; cut it first.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/("(?:token|authorization|password)"\s*:\s*)"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)/gi, '$1"***"')
    .replace(/([?&](?:token|authorization)=)[^&\s"]*/gi, '$1***')
    .replace(/\b(Bearer )[^\s",]+/gi, '$1***');
}
