import { mount } from '@vue/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { nextTick, ref } from 'vue';

import SchemaForm from '../../../../renderer/ui/forms/fields/SchemaForm.vue';
import { useArguments } from '../../../../renderer/ui/forms/state/useArguments.ts';
import { asksNothing } from '../../../../renderer/ui/forms/schema/asksNothing.ts';
import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { giveLayout } from '../../layout.ts';

function open(schema: JsonSchema, text = '{}') {
  onTestFinished(giveLayout());
  const args = useArguments({ text: ref(text), schema: ref(schema) });
  const form = mount(SchemaForm, { props: { args, schema }, attachTo: document.body });
  onTestFinished(() => form.unmount());
  const names = () => form.findAll('.name').map((name) => name.text().replace(' *', ''));
  return { args, form, names };
}

const circle = {
  type: 'object',
  properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
  required: ['kind', 'radius'],
};
const square = {
  type: 'object',
  properties: { kind: { const: 'square' }, side: { type: 'number' } },
  required: ['kind', 'side'],
};

it('draws arguments of several kinds with a choice among them', async () => {
  const { args, form, names } = open({ type: 'object', oneOf: [circle, square] });
  expect(names()).toEqual(['kind', 'radius']);
  const [, second] = form.get('[aria-label="Kind of Arguments"]').findAll('[role="radio"]');
  await second?.trigger('click');
  await nextTick();
  expect(names()).toEqual(['kind', 'side']);
  expect(JSON.parse(args.text.value)).toEqual({ kind: 'square' });
});

it('shows the kind that the arguments are of', () => {
  expect(open({ anyOf: [circle, square] }, '{"kind": "square", "side": 1}').names()).toEqual(['kind', 'side']);
});

it('asks for no kind if only one is an object', () => {
  const { form, names } = open({ anyOf: [{ type: 'string' }, circle] });
  expect(names()).toEqual(['kind', 'radius']);
  expect(form.find('[aria-label="Kind of Arguments"]').exists()).toBe(false);
});

const map: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
it.each<[string, JsonSchema]>([
  ['as such', map],
  ['behind a reference', { $ref: '#/definitions/M', definitions: { M: map } }],
  ['as a part', { allOf: [map] }],
])('takes entries of a map that is all the arguments, %s', (_how, schema) => {
  expect(open(schema).form.findAll('.add input')).toHaveLength(1);
});

it.each<[string, JsonSchema, boolean]>([
  ['no property', { type: 'object' }, true],
  ['a property', { type: 'object', properties: { a: {} } }, false],
  ['kinds to choose from', { type: 'object', oneOf: [circle, square] }, false],
  ['entries of any name', { type: 'object', additionalProperties: { type: 'string' } }, false],
  ['too many kinds', { oneOf: Array.from({ length: 51 }, () => circle) }, false],
])('knows whether there is anything to fill in: %s', (_, schema, nothing) => {
  expect(asksNothing(schema)).toBe(nothing);
});

it('writes arguments of too many kinds as JSON', async () => {
  const { args, form } = open({ type: 'object', oneOf: Array.from({ length: 51 }, () => circle) });
  expect(form.text()).toContain('One of 51 kinds');
  await form.get('textarea').setValue('{"kind": "circle"}');
  expect(args.text.value).toBe('{"kind": "circle"}');
});
