/** Replaces tokens and credentials in text that is kept for people: JSON members, query parameters, Bearer words. */
export function maskSecrets(text: string): string {
  return text
    .replace(/("(?:token|authorization|password)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi, '$1"***"')
    .replace(/([?&](?:token|authorization)=)[^&\s"]*/gi, '$1***')
    .replace(/\b(Bearer )[^\s",]+/gi, '$1***');
}
