import type { ToolView } from '../../../src-core/contract/types.ts';
import type { VcpMethod } from '../../ui/editor/vcp/vcpContext.ts';
import type { Field } from '../../ui/forms/schema/fieldOf.ts';
import { fieldsOf } from '../../ui/forms/schema/fieldsOf.ts';

const maxValues = 50;

/** By tool. A changed tool is a new object. Usually only one of many tools changes at a time. */
const known = new WeakMap<ToolView, VcpMethod[]>();

/** The methods that models may call, as used by completion and hover. */
export function vcpMethods(tools: readonly ToolView[]): VcpMethod[] {
  return tools.flatMap((tool) => {
    const methods = known.get(tool) ?? methodsOf(tool);
    known.set(tool, methods);
    return methods;
  });
}

function methodsOf(tool: ToolView): VcpMethod[] {
  return tool.methods.map((method) => ({
    qualifiedName: method.qualifiedName,
    toolId: tool.id,
    toolName: tool.name,
    command: method.protocolConfig?.vcpCommand ?? method.name,
    description: method.description,
    sourceLabel: tool.source.label,
    parameters: fieldsOf(method.inputSchema).map((field) => ({
      name: field.name,
      type: field.typeText,
      required: field.required,
      ...(field.description === undefined ? {} : { description: field.description }),
      values: valuesOf(field),
    })),
  }));
}

function valuesOf({ control }: Field): string[] {
  if (control.kind === 'boolean') return ['true', 'false'];
  if (control.kind !== 'enum') return [];
  return control.options
    .slice(0, maxValues)
    .map((option) => (typeof option === 'string' ? option : JSON.stringify(option)));
}
