/** `toolwire/mcp`: keep MCP servers connected and their tools registered, and serve registered tools to MCP hosts (docs/mcp-library.md). */
export { superviseServer } from './features/servers/superviseServer.ts';
export { connectServer } from './mcp/connectServer.ts';
export { createSignInProvider } from './mcp/auth/createSignInProvider.ts';
export { ConnectFailure, McpError } from './mcp/errors.ts';

export { serveToolsOverHttp, serveToolsOverStdio } from './features/hosts/serveTools.ts';

export { createToolRegistryManager } from './registry/toolRegistryManager.ts';
export { defineToolRegistry } from './registry/defineTool.ts';
export { executeSingleRequest } from './engine/executor.ts';

export type { SuperviseOptions, SupervisedServer } from './features/servers/superviseServer.ts';
export type { ToolsOffer } from './features/hosts/serveTools.ts';
export type * from './mcp/types.ts';
export type { ConnectFailureCode, McpErrorCode, McpErrorDetails } from './mcp/errors.ts';
export type { SignInOptions } from './mcp/auth/signInAttempt.ts';
export type * from './mcp/auth/types.ts';
export type { OfferChange, OfferedPrompts, OfferedResources, ToolScope } from './features/hosts/offered.ts';
