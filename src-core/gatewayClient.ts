/**
 * `toolwire/gateway-client`: a client of an LLM gateway (docs/gateway-client.md, docs/protocols/gateway.md). Runs in
 * browsers and in Node 22 or newer, without any other package.
 */
export { GatewayClient } from './gatewayClient/gatewayClient.ts';
export { GatewayConnectionError, GatewayRequestError, GatewayTimeoutError } from './gatewayClient/errors.ts';

export type { GatewayClientOptions, GatewayClientState, RequestOptions } from './gatewayClient/gatewayClient.ts';
export type {
  ChatAnswer,
  ClientTool,
  GatewayConfiguration,
  GatewayMessage,
  ServerToolCall,
  ToolCallContext,
} from './gatewayClient/messages.ts';
export type { GatewaySocket } from './gatewayClient/gatewaySocket.ts';
export type { GatewayErrorCode, RegisteredTool } from './features/gateway/messages.ts';
export type * from './base/json.ts';
