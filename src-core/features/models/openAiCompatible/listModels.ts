import { systemClock, type Clock } from '../../../base/clock.ts';
import { isJsonObject, type JsonValue } from '../../../base/json.ts';
import { startStepLimits } from '../stepLimits.ts';
import { createMask } from './createMask.ts';
import { explainFailure } from './explainFailure.ts';
import { readApiKey, readBaseUrl, type ModelServer } from './modelServer.ts';
import { ExchangeRecorder } from './exchangeRecorder.ts';

/** ms for the list. */
const defaultTotalMs = 15_000;
const maxModels = 2_000;
const maxIdLength = 256;

export interface ListModelsOptions extends ModelServer {
  signal?: AbortSignal | undefined;
  /** ms for the whole request; 15,000 by default. */
  totalMs?: number | undefined;
  clock?: Clock | undefined;
}

/**
 * The names of a server's models, sorted, at most 2,000.
 * @throws {ChatModelError} If the request fails.
 * @throws {RequestError} If the address or the key cannot be used.
 */
export async function listModels(options: ListModelsOptions): Promise<string[]> {
  const { totalMs = defaultTotalMs, clock = systemClock, headers = {} } = options;
  const { url, query } = readBaseUrl(options.baseUrl);
  const apiKey = options.apiKey === undefined ? undefined : readApiKey(options.apiKey);
  const mask = createMask(apiKey, headers);
  const limits = startStepLimits({ totalMs, signal: options.signal, clock });
  const recorder = new ExchangeRecorder({ fetch: options.fetch ?? globalThis.fetch, mask, clock });
  try {
    const address = new URL(`${url}/models`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const response = await recorder.fetch(address.href, {
      headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers },
      signal: limits.signal,
    });
    const text = await response.text();
    if (!response.ok) throw new Error('No list was received.');
    return readList(JSON.parse(text) as JsonValue);
  } catch (error) {
    throw explainFailure(limits.failure() ?? error, { recorder, mask, wanted: 'list of models' });
  } finally {
    limits.end();
  }
}

/** OpenAI and most other servers send `data: [{ id }]`. Some send the list itself, or call it `models`. */
function readList(value: JsonValue): string[] {
  const list = isJsonObject(value) ? (value['data'] ?? value['models']) : value;
  if (!Array.isArray(list)) throw new Error('no list in it');
  const ids = list.map((item) => (isJsonObject(item) ? (item['id'] ?? item['name']) : item));
  const names = ids.filter((id) => typeof id === 'string' && id !== '' && id.length <= maxIdLength);
  return [...new Set(names as string[])].sort().slice(0, maxModels);
}
