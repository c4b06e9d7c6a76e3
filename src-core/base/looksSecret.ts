import { maskSecrets } from './maskSecrets.ts';

const secretName =
  /(?:token|secret|passw(?:or)?d|passphrase|pwd|credential|cookie|jwt|authorization|(?:^|[^a-z])(?:pat|dsn|key|auth)|(?:api|access|private|secret)key)s?$/i;

/** Whether a name indicates that its value is a secret: `apiKey`, `auth-token`, `DB_PASSWORD`. */
export function isSecretName(name: string): boolean {
  return secretName.test(name.replace(/([a-z\d])([A-Z])/g, '$1-$2'));
}

/** Digests and commits, which pin what is run. */
const pinned = /sha256:[\da-f]{64}|[#@][\da-f]{40}$/g;

/** Whether a text contains 16 or more letters and digits in a row, as keys of services do. */
export function isTokenLike(text: string): boolean {
  const runs = text.replace(pinned, '').match(/[A-Za-z\d]{16,}/g) ?? [];
  return runs.some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}

const isPath = (text: string): boolean => /^(?:~|\.{0,2}[/\\]|[A-Za-z]:\\)/.test(text);

/** Whether a text may contain a secret, whatever it is the value of. */
export function looksSecret(text: string): boolean {
  return maskSecrets(text) !== text || (isTokenLike(text) && !isPath(text));
}

/** Whether a default can be shown: a number, a truth value, a path or nothing. Any other one may be a secret. */
export function isPlainDefault(text: string): boolean {
  return /^(?:|true|false|\d{1,5}|(?:~|\.{1,2})?(?:\/[\w.@-]*)*)$/.test(text) && !looksSecret(text);
}
