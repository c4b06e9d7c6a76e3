/** A board's question to OTA, and what it learns: where to connect, with which token. */
export async function askOta(
  otaUrl: string,
  headers: Record<string, string>,
  body: object = {},
): Promise<{ url: string; token: string }> {
  const response = await fetch(otaUrl, { method: 'POST', headers, body: JSON.stringify(body) });
  return ((await response.json()) as { websocket: { url: string; token: string } }).websocket;
}
