import type { Clock } from '../base/clock.ts';
import { RequestError } from '../base/requestError.ts';
import type { BaseRealtimeProvider } from './baseRealtimeProvider.ts';
import { OpenAIRealtimeProvider } from './providers/openAIRealtimeProvider.ts';
import { QwenOmniRealtimeProvider } from './providers/qwenOmniRealtimeProvider.ts';
import type { RealtimeProfile } from '../base/realtimeTypes.ts';

export interface CreateRealtimeProviderOptions {
  key?: string | undefined;
  clock?: Clock | undefined;
  /** Used if the profile has none: the scripted server's address. */
  url?: string | undefined;
}

/**
 * The provider that speaks a profile's dialect; not connected yet.
 * @throws {RequestError} Names `url` or `model`, if the profile cannot be used.
 */
export function createRealtimeProvider(
  { dialect, url: profileUrl, model, voice, session, differences }: RealtimeProfile,
  { key, clock, url = profileUrl }: CreateRealtimeProviderOptions = {},
): BaseRealtimeProvider {
  if (url === undefined) throw new RequestError('The address of the realtime server is missing.', { field: 'url' });
  const options = { url, model, voice, key, clock, session, differences };
  if (dialect === 'qwen') return new QwenOmniRealtimeProvider(options);
  return new OpenAIRealtimeProvider({ ...options, dialect: dialect === 'openai' ? 'ga' : 'beta' });
}
