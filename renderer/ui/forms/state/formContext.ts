import { inject, provide, type Component, type InjectionKey, type Ref } from 'vue';

import type { ArgumentIssue, JsonSchema } from '../../../../src-core/contract/types.ts';
import type { JsonPath } from '../json/jsonNode.ts';
import type { Arguments } from './useArguments.ts';

/** What every row of the form works on. */
export interface FormContext {
  args: Arguments;
  /** `ObjectFields` and `FieldValue`, for what stands inside a field: a form holds fields, and a field may hold a form. */
  rows: Component;
  value: Component;
  /** The whole schema, where references are looked up. */
  schema: Readonly<Ref<JsonSchema>>;
  /** The form shows and takes no edits: the text cannot be read, or a call runs. */
  resting: Readonly<Ref<boolean>>;
  /** Missing required fields are named only once a run was tried. */
  showMissing: Readonly<Ref<boolean>>;
  /** What the engine said of this field at the last call, while the value is still the same. */
  engineIssueAt: (path: JsonPath) => ArgumentIssue | undefined;
}

const key: InjectionKey<FormContext> = Symbol('form');

export function provideForm(context: FormContext): void {
  provide(key, context);
}

export function useForm(): FormContext {
  const context = inject(key);
  if (context === undefined) throw new Error('A form row stands outside of a form.');
  return context;
}
