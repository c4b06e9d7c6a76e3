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

it('lists what is in objects and in the items of arrays below them', () => {
  const lat = { name: 'lat', type: 'number', required: true, minimum: -90 };
  const parameters = [
    { name: 'pos', type: 'object', required: true, properties: [lat] },
    { name: 'tags', type: 'array', required: false, items: { name: '', type: 'string', required: false } },
    {
      name: 'stops',
      type: 'array',
      required: false,
      items: { name: '', type: 'object', required: false, properties: [lat] },
    },
  ];
  const table = mount(ParameterTable, { props: { parameters } });
  onTestFinished(() => table.unmount());
  const rows = table
    .findAll('tbody')
    .map((row) => [row.attributes('style'), ...row.findAll('td').map((cell) => cell.text())]);
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    ['--depth: 0;', 'pos *', 'object', ''],
    ['--depth: 1;', 'lat *', 'number', '≥ -90'],
    ['--depth: 0;', 'tags', 'string[]', ''],
    ['--depth: 0;', 'stops', 'object[]', ''],
    ['--depth: 1;', 'lat *', 'number', '≥ -90'],
  ]);
});
