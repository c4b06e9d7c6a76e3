import type { JsonContent } from '../json/jsonNode.ts';
import type { FieldControl } from '../schema/fieldOf.ts';

/** Whether a control can show a value that stands in the text; otherwise the value is shown as JSON. */
export function controlFits(control: FieldControl, node: JsonContent): boolean {
  switch (control.kind) {
    case 'string':
      // No field of the page can hold a carriage return: it would be lost with the first key.
      return node.kind === 'string' && !node.value.includes('\r');
    case 'number':
      // Text that is not a number stays visible in the field, with the message under it.
      return node.kind === 'number' || node.kind === 'string';
    case 'boolean':
      return node.kind === 'word' && node.value !== null;
    case 'object':
      return node.kind === 'object';
    case 'list':
      return node.kind === 'array';
    case 'enum':
    case 'variants':
    case 'json':
      return true;
  }
}
