/** A form in a page of its own, without a tool and an engine behind it. */
import { mount, type DOMWrapper, type VueWrapper } from '@vue/test-utils';
import { onTestFinished } from 'vitest';
import { nextTick, ref } from 'vue';

import SchemaForm from '../../../../renderer/ui/forms/fields/SchemaForm.vue';
import { useArguments, type Arguments } from '../../../../renderer/ui/forms/state/useArguments.ts';
import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { giveLayout } from '../../layout.ts';

interface OpenForm {
  args: Arguments;
  form: VueWrapper;
  /** The arguments as they would be sent. */
  sent: () => unknown;
  /** The field to type in that a screen reader names so. */
  control: (name: string) => Omit<DOMWrapper<HTMLInputElement>, 'exists'>;
  button: (name: string) => DOMWrapper<Element>;
  press: (name: string) => Promise<void>;
  /** What the text marked in a field is. */
  marked: (name: string) => string;
}

export function openForm(
  properties: Record<string, JsonSchema>,
  {
    text = '{}',
    required = [],
    showMissing = false,
  }: { text?: string; required?: string[]; showMissing?: boolean } = {},
): OpenForm {
  onTestFinished(giveLayout());
  const schema: JsonSchema = { type: 'object', properties, required };
  const args = useArguments({ text: ref(text), schema: ref(schema) });
  const form = mount(SchemaForm, { props: { args, schema, showMissing }, attachTo: document.body });
  onTestFinished(() => form.unmount());
  const control: OpenForm['control'] = (name) => form.get(`:is(input, textarea)[aria-label="${name}"]`);
  const button: OpenForm['button'] = (name) => {
    const found = form.findAll('button').find((one) => (one.attributes('aria-label') ?? one.text()).trim() === name);
    if (found === undefined) throw new Error(`no button ${name} in ${form.text()}`);
    return found;
  };
  return {
    args,
    form,
    sent: () => JSON.parse(args.text.value) as unknown,
    control,
    button,
    async press(name) {
      await button(name).trigger('click');
      await nextTick();
    },
    marked(name) {
      const { element } = control(name);
      return element.value.slice(element.selectionStart ?? 0, element.selectionEnd ?? 0);
    },
  };
}
