const hidden = '•••';
const secretName = /auth|key|token|secret|cookie|password/i;
/** Shorter ones are no secret, and would be found in every other word. */
const minLength = 4;
/** From this length on, words that look like a half hidden secret are hidden, too. */
const longSecret = 16;

/** Takes credentials out of what is kept or shown. */
export interface Mask {
  text: (text: string) => string;
  /** Values of headers that carry credentials are hidden whole. */
  headers: (headers: Iterable<readonly [string, string]>) => Record<string, string>;
  url: (url: string) => string;
}

/**
 * Hides a server's key wherever it shows up, also as servers repeat it half hidden (`sk-12345***6789`, `****6789`), and
 * the values of headers that carry credentials.
 */
export function createMask(apiKey: string | undefined, headers: Readonly<Record<string, string>> = {}): Mask {
  const values = Object.entries(headers).filter(([name]) => secretName.test(name));
  const secrets = [apiKey ?? '', ...values.map(([, value]) => value)].filter(({ length }) => length >= minLength);
  const text = (input: string): string =>
    secrets.reduce((masked, secret) => {
      const whole = masked.replaceAll(secret, hidden);
      return secret.length < longSecret ? whole : hideHalfHidden(whole, secret);
    }, input);
  return {
    text,
    headers: (all) =>
      Object.fromEntries([...all].map(([name, value]) => [name, secretName.test(name) ? hidden : text(value)])),
    url: (input) => {
      const url = URL.parse(input);
      if (url === null) return text(input);
      for (const name of new Set(url.searchParams.keys()))
        if (secretName.test(name)) url.searchParams.set(name, hidden);
      return text(url.href);
    },
  };
}

/** Hides words that begin as the secret does, or end as it does after asterisks. In one pass: the text is a server's. */
function hideHalfHidden(text: string, secret: string): string {
  const beginning = secret.slice(0, 8);
  const end = secret.slice(-4);
  return text.replace(/[^\s"'<>\\,;]+/g, (word) => {
    const at = word.indexOf(beginning);
    if (at >= 0) return `${word.slice(0, at)}${hidden}`;
    return word.includes('***') && word.replace(/[.:)\]}]{1,4}$/, '').endsWith(end) ? hidden : word;
  });
}
