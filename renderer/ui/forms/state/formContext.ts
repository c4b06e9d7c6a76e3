import { inject, provide, type Component, type InjectionKey, type Ref } from 'vue';

import type { ArgumentIssue, JsonSchema } from '../../../../src-core/contract/types.ts';
import type { JsonPath } from '../json/jsonNode.ts';
import type { Arguments } from './useArguments.ts';

/** The context shared by all rows of the form. */
export interface FormContext {
  args: Arguments;
  /** `ObjectFields` and `FieldValue`, for the content of a field: a form has fields, and a field may contain a form. */
  rows: Component;
  value: Component;
  /** The whole schema, in which references are looked up. */
  schema: Readonly<Ref<JsonSchema>>;
  /** The form is read-only, because the text is invalid or a call is running. */
  resting: Readonly<Ref<boolean>>;
  /** Missing required fields are reported only after a run was attempted. */
  showMissing: Readonly<Ref<boolean>>;
  /** Optional fields without a value are shown as the others. */
  unfolded: boolean;
  /** The engine's issue with this field at the last call, as long as the value is unchanged. */
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
