import { describe, expect, it } from 'vitest';

import { openForm } from './openForm.ts';

describe('a value that a control comes with', () => {
  it('is selected, so that what is typed replaces it', async () => {
    const { press, marked, sent } = openForm({
      age: { type: 'integer', minimum: 0 },
      note: { type: 'string', default: 'hello' },
      rows: { type: 'array', items: { type: 'integer', minimum: 4 } },
    });
    await press('Send a value: age');
    expect(marked('age')).toBe('0');
    await press('Send a value: note');
    expect(marked('note')).toBe('hello');
    await press('Send a value: rows');
    await press('Add an item: rows');
    expect(marked('rows 1')).toBe('4');
    expect(sent()).toEqual({ age: 0, note: 'hello', rows: [4] });
  });
});
