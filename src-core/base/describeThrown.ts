const maximumLength = 10_000;

/**
 * The text of anything that was thrown: an Error's message, or the value itself as text. Never throws, whatever the
 * value does when looked at, and never returns an empty text.
 */
export function describeThrown(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message || thrown.name : toText(thrown);
    return text.slice(0, maximumLength) || 'An empty value was thrown.';
  } catch {
    // A getter, a proxy or a toString of the thrown value threw in its turn.
    return 'A value was thrown that has no text.';
  }
}

function toText(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null) {
    const message = 'message' in thrown ? thrown.message : undefined;
    return typeof message === 'string' && message !== '' ? message : (JSON.stringify(thrown) ?? '');
  }
  return String(thrown);
}
