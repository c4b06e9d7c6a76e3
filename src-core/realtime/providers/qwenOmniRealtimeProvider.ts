import { qwenDialect } from '../dialects/qwenDialect.ts';
import { SocketRealtimeProvider, type RealtimeProviderOptions } from './socketRealtimeProvider.ts';

/** Qwen-Omni-Realtime (seed 003). Takes 16 kHz, speaks with 24 kHz. */
export class QwenOmniRealtimeProvider extends SocketRealtimeProvider {
  constructor(options: RealtimeProviderOptions) {
    super('qwen', qwenDialect, options);
  }
}
