import type { JsonValue } from '../../../../src-core/contract/types.ts';
import type { JsonPath } from '../json/jsonNode.ts';

/** What is wrong with one value; the form words it by `code` (messages `executor.issue.*`). */
export interface LocalIssue {
  path: JsonPath;
  code:
    | 'required'
    | 'type'
    | 'enum'
    | 'const'
    | 'minimum'
    | 'maximum'
    | 'exclusiveMinimum'
    | 'exclusiveMaximum'
    | 'multipleOf'
    | 'minLength'
    | 'maxLength'
    | 'pattern'
    | 'format'
    | 'minItems'
    | 'maxItems'
    | 'uniqueItems'
    | 'contains'
    | 'minProperties'
    | 'maxProperties'
    | 'propertyName'
    | 'dependent'
    | 'unknown'
    | 'duplicate'
    | 'alternatives'
    | 'tooManyAlternatives'
    | 'not'
    | 'never';
  params: Record<string, string | number>;
  /** What should stand there, where something is missing and its schema says so. */
  schema?: JsonValue;
  /** Of `enum`: the value as JSON, and the values that are accepted. */
  choice?: { value: string; options: readonly JsonValue[] };
  /** The text is empty, and may not be: as good as missing. */
  unfilled?: true;
  /** For an unknown argument: the known names that are not used. */
  known?: readonly string[];
  /** JSON text that would be accepted in its place. */
  remedy?: string;
}

/** Nothing was filled in yet: that is told quietly until a run was tried. */
export function isUnfilled({ code, unfilled }: LocalIssue): boolean {
  return code === 'required' || unfilled === true;
}
