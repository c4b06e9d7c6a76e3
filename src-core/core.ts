/**
 * `toolwire/core`: the engine as a library (docs/core.md). No server, no store, no window: tools, the protocols a
 * model's text is read with, and the cycle from text to results.
 */
export { createToolRegistryManager } from './registry/toolRegistryManager.ts';
export { defineToolRegistry } from './registry/defineTool.ts';
export { createTimeTool } from './registry/builtin/time.ts';
export { createDirectoryTreeTool } from './registry/builtin/directoryTree.ts';
export { convertArguments } from './schema/convertArguments.ts';
export { methodParameters } from './registry/methodParameters.ts';
export { resolveToolName } from './registry/resolveToolName.ts';
export { defaultToolCallConfig } from './base/calls.ts';
export { ToolError } from './base/errors.ts';

export { createToolDiscoveryService } from './engine/discovery.ts';
export { parseToolRequests } from './engine/parser.ts';
export { executeSingleRequest, executeToolRequests } from './engine/executor.ts';
export { formatResultsForContext, processToolCallCycle } from './engine/engine.ts';
export { createToolCalling } from './engine/toolCalling.ts';
export { resolveToolEnabled } from './engine/resolveToolEnabled.ts';

export { createProtocolRegistry } from './protocols/registry.ts';
export { createVcpProtocol } from './protocols/vcp/vcpProtocol.ts';
export { parseVcp } from './protocols/vcp/parseVcp.ts';
export { createVcpParser } from './protocols/vcp/createVcpParser.ts';
export { formatToolRequest } from './protocols/vcp/formatToolRequest.ts';
export { createJsonProtocol } from './protocols/json/jsonProtocol.ts';
export { parseJsonCalls } from './protocols/json/parseJsonCalls.ts';
export { detectProtocol } from './protocols/detectProtocol.ts';
export { readReply } from './protocols/readReply.ts';

export type { ToolRegistryEvent, ToolRegistryManager } from './registry/toolRegistryManager.ts';
export type { ToolMethodDefinition, ToolRegistryDefinition } from './registry/defineTool.ts';
export type { ObjectTool, ObjectToolMethod } from './registry/objectTool.ts';
export type * from './base/toolTypes.ts';
export type * from './registry/types.ts';
export type * from './base/calls.ts';
export type * from './base/json.ts';
export type * from './base/replyTypes.ts';
export type { ArgumentIssue, ToolErrorCode, ToolErrorInfo } from './base/errors.ts';
export type { DiscoveredTool, GeneratePromptOptions, MethodFilter, ToolDiscoveryService } from './engine/discovery.ts';
export type {
  Confirmation,
  ExecutionOptions,
  FinishedToolCall,
  PendingCall,
  ToolCallRecord,
} from './engine/executionOptions.ts';
export type { ToolCalling } from './engine/toolCalling.ts';
export type { ToolCallingProtocol, ToolDefinitionInput } from './protocols/base.ts';
export type { ProtocolRegistry } from './protocols/registry.ts';
export type * from './protocols/vcp/types.ts';
export type * from './protocols/json/types.ts';
export type { DetectedProtocol } from './protocols/detectProtocol.ts';
