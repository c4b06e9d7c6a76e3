import { openAiBetaDialect } from '../dialects/openAiBetaDialect.ts';
import { openAiDialect } from '../dialects/openAiDialect.ts';
import { SocketRealtimeProvider, type RealtimeProviderOptions } from './socketRealtimeProvider.ts';

export interface OpenAIRealtimeOptions extends RealtimeProviderOptions {
  /** `beta` for servers that still speak the names before the general availability; `ga` unless told. */
  dialect?: 'ga' | 'beta' | undefined;
}

/** OpenAI's realtime models, and servers that speak as they do (seed 003). 24 kHz both ways. */
export class OpenAIRealtimeProvider extends SocketRealtimeProvider {
  constructor(options: OpenAIRealtimeOptions) {
    super('openai', options.dialect === 'beta' ? openAiBetaDialect : openAiDialect, options);
  }
}
