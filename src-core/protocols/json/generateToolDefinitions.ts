import type { MethodMetadata } from '../../base/toolTypes.ts';
import type { ToolDefinitionInput } from '../base.ts';
import { exampleArguments } from '../../registry/exampleValue.ts';
import { tagFreeJson } from './formatTagged.ts';
import { formatToolCall, type FormatToolCallOptions } from './formatToolCall.ts';

/**
 * The prompt text that offers methods to a model: how to call, then a line of JSON for each agent-callable method, its
 * parameters as the JSON Schema they are. Names are the qualified ones, dots and all: this is text, and only the
 * function-calling interfaces of model APIs forbid dots. The example parses back to exactly what `exampleToolCall` gives.
 */
export function generateToolDefinitions(input: readonly ToolDefinitionInput[]): string {
  const offered = input.flatMap((tool) =>
    tool.methods.filter(({ agentCallable }) => agentCallable).map((method) => ({ tool, method })),
  );
  const [first] = offered;
  if (first === undefined) return '';
  return [
    'You can use tools. Each line between <tools> and </tools> is one tool: its name, what it does, and the JSON Schema of its arguments.',
    '',
    '<tools>',
    ...offered.map(({ tool, method }) => definition(tool, method)),
    '</tools>',
    '',
    'To use a tool, write one JSON object with its name and its arguments between the tags shown here; for several calls, write several such blocks. Put a call neither into a code block nor into your reasoning. The answer comes back between <tool_response> and </tool_response>. For example:',
    '',
    formatToolCall(exampleToolCall(first.tool, first.method)),
  ].join('\n');
}

/** The call that an example shows: the method's required parameters, with a default, a listed or a plain value each. */
export function exampleToolCall(tool: ToolDefinitionInput, method: MethodMetadata): FormatToolCallOptions {
  return { toolName: nameOf(tool, method), args: exampleArguments(method.inputSchema) };
}

function definition(tool: ToolDefinitionInput, method: MethodMetadata): string {
  const title = tool.toolName === '' || tool.toolName === tool.toolId ? '' : ` (${tool.toolName})`;
  return tagFreeJson({
    name: nameOf(tool, method),
    description: `${method.description}${title}`.trim(),
    parameters: method.inputSchema,
  });
}

function nameOf({ toolId }: ToolDefinitionInput, { name }: MethodMetadata): string {
  return `${toolId}_${name}`;
}
