import type { Field } from './schema/fieldsOf.ts';

/** JSON text to begin with once a person asks to send a field; undefined where they should write it themselves. */
export function firstValue({ control, defaultValue }: Field): string | undefined {
  if (defaultValue !== undefined && defaultValue !== null) return JSON.stringify(defaultValue);
  switch (control.kind) {
    case 'string':
      return '""';
    case 'boolean':
      return 'true';
    case 'number':
      return control.minimum === undefined ? undefined : String(control.minimum);
    case 'enum':
      return JSON.stringify(control.options[0] ?? null);
    case 'object':
      return '{}';
    case 'json':
      return control.holds === 'array' ? '[]' : control.holds === 'object' ? '{}' : undefined;
  }
}
