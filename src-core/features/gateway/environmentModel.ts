import type { ChatModel } from '../models/chatModel.ts';
import { createOpenAiCompatibleModel } from '../models/openAiCompatible/openAiCompatibleModel.ts';
import type { GatewaySettings } from '../../contract/gateway.ts';

/**
 * The model of LLM_BASE_URL, LLM_MODEL and LLM_API_KEY.
 * @throws RequestError if the address or the key cannot be used.
 */
export function environmentModel({
  baseUrl,
  model,
  apiKey,
}: Pick<GatewaySettings, 'baseUrl' | 'model' | 'apiKey'>): ChatModel {
  const keyAdvice = apiKey === '' ? 'Set the key of the API in LLM_API_KEY.' : 'Check the key in LLM_API_KEY.';
  return createOpenAiCompatibleModel({ baseUrl, model, keyAdvice, ...(apiKey !== '' && { apiKey }) });
}
