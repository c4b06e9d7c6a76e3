/** `toolwire/realtime`: talk to a realtime model and have its tool calls run (docs/realtime.md). */
export { BaseRealtimeProvider } from './realtime/baseRealtimeProvider.ts';
export { createRealtimeProvider } from './realtime/createRealtimeProvider.ts';
export { OpenAIRealtimeProvider } from './realtime/providers/openAIRealtimeProvider.ts';
export { QwenOmniRealtimeProvider } from './realtime/providers/qwenOmniRealtimeProvider.ts';
export { RealtimeConnectionError } from './realtime/connection/connectionError.ts';

export { Station } from './realtime/stations/station.ts';
export { RealtimeStation } from './realtime/stations/realtimeStation.ts';
export { ToolNode } from './realtime/stations/toolNode.ts';
export { SentenceAggregatorStation } from './realtime/stations/sentenceAggregatorStation.ts';

export {
  AudioChunk,
  Chunk,
  ChunkType,
  EventChunk,
  ImageChunk,
  TextChunk,
  TextDeltaChunk,
  ToolCallChunk,
  ToolOutputChunk,
} from './realtime/chunks.ts';

export { startScriptedRealtimeServer } from './realtime/scripted/startScriptedRealtimeServer.ts';
export { RequestError } from './base/requestError.ts';

export type {
  RealtimeConnectionState,
  RealtimeSessionFacts,
  RealtimeSessionUpdate,
  ToolOutputOptions,
} from './realtime/baseRealtimeProvider.ts';
export type { AnyChunk, ChunkSource } from './realtime/chunks.ts';
export type { CreateRealtimeProviderOptions } from './realtime/createRealtimeProvider.ts';
export type { OpenAIRealtimeOptions } from './realtime/providers/openAIRealtimeProvider.ts';
export type { RealtimeProviderOptions } from './realtime/providers/socketRealtimeProvider.ts';
export type { RealtimeStationOptions } from './realtime/stations/realtimeStation.ts';
export type { RealtimeToolExecutor } from './realtime/stations/toolNode.ts';
export type * from './base/realtimeTypes.ts';
export type * from './realtime/scripted/startScriptedRealtimeServer.ts';
export type * from './base/calls.ts';
export type { Clock } from './base/clock.ts';
export type * from './base/json.ts';
export type { ToolDefinition } from './registry/toolDefinition.ts';
