/**
 * `toolwire/converters`: tools of devices, of this program and of MCP servers for agent frameworks
 * (docs/converters.md). The frameworks are optional peer dependencies, and are passed in.
 */
export { OpenAIAgentToolConverter } from './converters/openaiAgents/toolConverter.ts';
export { OpenAIAgentProvider } from './converters/openaiAgents/agentProvider.ts';
export { AiSdkToolConverter } from './converters/aiSdk/toolConverter.ts';
export { AiSdkAgentProvider } from './converters/aiSdk/agentProvider.ts';
export { LangChainToolConverter } from './converters/langchain/toolConverter.ts';
export { LangChainAgentProvider } from './converters/langchain/agentProvider.ts';

export { ToolConverterBase } from './converters/toolConverter.ts';
export { AgentProvider } from './converters/agentProvider.ts';
export { functionToToolDefinition } from './converters/functionTool.ts';
export { answerParts } from './converters/answerParts.ts';
export { followDeviceTools, followRegisteredTools } from './converters/followTools.ts';
export { BUILTIN_LOCAL_TOOLS } from './converters/builtinLocalTools.ts';

// Where devices come from: a listener with a hub on it.
export { createListener } from './server/createListener.ts';
export { createDeviceHub } from './features/devices/deviceHub.ts';
export { DeviceToolClient } from './features/devices/session/deviceToolClient.ts';
export { createToolRegistryManager } from './registry/toolRegistryManager.ts';
export { ToolError } from './base/errors.ts';

export type { OpenAIAgentOptions } from './converters/openaiAgents/agentProvider.ts';
export type { OpenAIAgentTool, OpenAIToolOutput } from './converters/openaiAgents/toolConverter.ts';
export type { AiSdkAgentOptions } from './converters/aiSdk/agentProvider.ts';
export type { AiSdkTool } from './converters/aiSdk/toolConverter.ts';
export type { LangChainAgentOptions } from './converters/langchain/agentProvider.ts';
export type { LangChainTool, LangChainToolParts } from './converters/langchain/toolConverter.ts';
export type { AgentSetup, ChatOptions } from './converters/agentProvider.ts';
export type { AnswerPart, MediaPart } from './converters/answerParts.ts';
export type { ConvertedCallOptions, ConvertibleTool } from './converters/convertibleTool.ts';
export type { FunctionToolOptions, LocalFunction } from './converters/functionTool.ts';
export type { FollowOptions } from './converters/followTools.ts';
export type { ConverterExecution } from './converters/runConverted.ts';
export type { DeviceHub, DeviceHubOptions } from './features/devices/deviceHub.ts';
export type { DeviceToolClientOptions } from './features/devices/session/deviceToolClient.ts';
export type { Listener } from './server/types.ts';
export type * from './base/calls.ts';
export type * from './base/json.ts';
export type * from './registry/toolDefinition.ts';
export type * from './base/toolTypes.ts';
export type * from './registry/types.ts';
export type { ToolRegistryManager } from './registry/toolRegistryManager.ts';
export type { WireNames } from './registry/wireNames.ts';
