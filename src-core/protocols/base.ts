import type { ParsedToolRequest, ToolExecutionResult } from '../base/calls.ts';
import type { MethodMetadata } from '../base/toolTypes.ts';

/** A tool with the methods a prompt may offer; made by discovery. */
export interface ToolDefinitionInput {
  toolId: string;
  toolName: string;
  methods: MethodMetadata[];
}

/** A text format between a model and tools: prompt, requests, results. */
export interface ToolCallingProtocol {
  readonly id: string;
  /** The prompt text that offers these methods. Empty input gives an empty string. */
  generateToolDefinitions(input: ToolDefinitionInput[]): string;
  /** The calls in a finished reply, in order. May throw; `engine/parser.ts` never does. */
  parseToolRequests(finalText: string): ParsedToolRequest[];
  /** The text fed back to the model. */
  formatToolResults(results: ToolExecutionResult[]): string;
}
