import type { JsonPath } from '../json/jsonNode.ts';

/** What is wrong with one value; the pane words it by `code` (messages `executor.issue.*`). */
export interface LocalIssue {
  path: JsonPath;
  code:
    | 'required'
    | 'type'
    | 'minimum'
    | 'maximum'
    | 'exclusiveMinimum'
    | 'exclusiveMaximum'
    | 'multipleOf'
    | 'minLength'
    | 'maxLength'
    | 'enum'
    | 'null'
    | 'unknown'
    | 'duplicate';
  params: Record<string, string | number>;
  /** JSON text that would be accepted in its place. */
  remedy?: string;
}
