/**
 * `toolwire/converters`: tools of devices, of this program and of MCP servers for agent frameworks (docs/converters.md,
 * seed 000). The frameworks are optional peer dependencies, and are passed in.
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
export { createDeviceHub } from './devices/deviceHub.ts';
export { DeviceToolClient } from './devices/deviceToolClient.ts';
export { createToolRegistryManager } from './tools/toolRegistryManager.ts';
export { ToolError } from './tools/errors.ts';

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
export type { DeviceHub, DeviceHubOptions } from './devices/deviceHub.ts';
export type { DeviceToolClientOptions } from './devices/deviceToolClient.ts';
export type { Listener } from './server/types.ts';
export type * from './tools/calls.ts';
export type * from './tools/json.ts';
export type * from './tools/toolDefinition.ts';
export type * from './tools/types.ts';
export type { ToolRegistryManager } from './tools/toolRegistryManager.ts';
export type { WireNames } from './tools/wireNames.ts';
