import { describe, expect, it, vi } from 'vitest';

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

describe('a map', () => {
  it('takes Enter for adding the entry alone: it does not go on into the value that gets the focus', async () => {
    const { press, control, sent } = openForm({
      headers: { type: 'object', additionalProperties: { type: 'string' } },
    });
    await press('Send a value: headers');
    const name = control('Name of the entry');
    await name.setValue('X-B');
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    name.element.dispatchEvent(enter);
    await vi.waitUntil(() => document.activeElement?.getAttribute('aria-label') === 'X-B');
    expect(enter.defaultPrevented).toBe(true);
    expect(sent()).toEqual({ headers: { 'X-B': '' } });
  });
});
