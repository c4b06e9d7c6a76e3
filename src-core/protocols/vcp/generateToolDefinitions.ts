import type { JsonObject, JsonValue } from '../../base/json.ts';
import { methodParameters } from '../../registry/methodParameters.ts';
import type { MethodMetadata, MethodParameter } from '../../base/toolTypes.ts';
import type { ToolDefinitionInput } from '../base.ts';
import { exampleValue } from '../../registry/exampleValue.ts';
import { formatBlock, formatField } from './formatField.ts';
import { formatToolRequest, isCarriedBy, keyProblem, type FormatToolRequestOptions } from './formatToolRequest.ts';
import { markers } from './markers.ts';

/**
 * The prompt text that offers methods to a model (docs/protocols/vcp.md#prompts-and-results): the definition of each agent-callable
 * method that a VCP request can call.
 */
export function generateToolDefinitions(input: readonly ToolDefinitionInput[]): string {
  return input
    .flatMap((tool) =>
      tool.methods
        .filter((method) => method.agentCallable && isCarriedBy('vcp', method))
        .map((method) => toolDefinition(tool, method)),
    )
    .join('\n\n');
}

/** The call that a method's example shows: its required parameters, with a default, a listed or a plain value each. */
export function exampleCall(tool: ToolDefinitionInput, method: MethodMetadata): FormatToolRequestOptions {
  const args: Record<string, JsonValue> = {};
  for (const parameter of methodParameters(method.inputSchema))
    if (parameter.required && keyProblem(parameter.name) === undefined) args[parameter.name] = exampleValue(parameter);
  return { toolName: tool.toolId, command: commandOf(tool, method), args };
}

/** A TOOL_DEFINITION block. Its example is a request block that parses back to exactly the call that `exampleCall` returns. */
export function toolDefinition(tool: ToolDefinitionInput, method: MethodMetadata): string {
  const title = tool.toolName === '' || tool.toolName === tool.toolId ? '' : ` (${tool.toolName})`;
  const parameters = methodParameters(method.inputSchema).map(describeParameter);
  const fields = [
    formatField('tool_name', tool.toolId),
    formatField('command', commandOf(tool, method)),
    formatField('description', `${method.description}${title}`.trim()),
    formatField('parameters', JSON.stringify(parameters)),
    `example:\n${formatToolRequest(exampleCall(tool, method))}`,
  ];
  return formatBlock(markers.definitionStart, fields, markers.definitionEnd);
}

/** The method's VCP command, if it means this method alone; its name otherwise. */
function commandOf(tool: ToolDefinitionInput, method: MethodMetadata): string {
  const command = method.protocolConfig?.vcpCommand;
  if (command === undefined || command.trim() === '') return method.name;
  const meant = tool.methods.filter(
    ({ name, protocolConfig }) => name === command || protocolConfig?.vcpCommand === command,
  );
  return meant.length === 1 ? command : method.name;
}

function describeParameter({
  name,
  type,
  required,
  defaultValue,
  description,
  enum: values,
  minimum,
  maximum,
  properties,
  items,
}: MethodParameter): JsonObject {
  return {
    ...(name !== '' && { name }),
    type,
    ...(name !== '' && { required }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(description !== undefined && { description }),
    ...(values !== undefined && { enum: values }),
    ...((minimum !== undefined || maximum !== undefined) && { range: [minimum ?? null, maximum ?? null] }),
    ...(properties !== undefined && { properties: properties.map(describeParameter) }),
    ...(items !== undefined && { items: describeParameter(items) }),
  };
}
