import { mount } from '@vue/test-utils';
import { expect, it, onTestFinished } from 'vitest';

import ParameterTable from '../../../../renderer/features/calls/ParameterTable.vue';

it('lists 20 choices, counts the others, and separates types so that they wrap between words', () => {
  const choices = Array.from({ length: 30 }, (_, at) => `choice ${at}`);
  const table = mount(ParameterTable, {
    props: {
      parameters: [
        { name: 'mode', type: 'string', required: true, enum: choices },
        { name: 'level', type: 'integer|null', required: false },
      ],
    },
  });
  onTestFinished(() => table.unmount());
  const [mode, level] = table.findAll('tbody').map((row) => row.findAll('td').map((cell) => cell.text()));
  expect(mode?.[2]).toMatch(/choice 19 \| and 10 more$/);
  expect(level?.[1]).toBe('integer | null');
});
