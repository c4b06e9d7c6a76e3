import { describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';

import { isUnfilled } from '../../../../renderer/ui/forms/check/localIssue.ts';
import { optionLabels } from '../../../../renderer/ui/forms/schema/optionLabels.ts';
import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { openForm } from './openForm.ts';

/** As long as a busy machine may need. */
const until = (holds: () => unknown): Promise<unknown> => vi.waitUntil(holds);

describe('a value that a control comes with', () => {
  it('is selected, so that what is typed replaces it', async () => {
    const { press, marked, sent } = openForm({
      age: { type: 'integer', minimum: 0 },
      note: { type: 'string', default: 'hello' },
      rows: { type: 'array', items: { type: 'integer', minimum: 4 } },
    });
    await press('Set value: age');
    expect(marked('age')).toBe('0');
    await press('Set value: note');
    expect(marked('note')).toBe('hello');
    await press('Set value: rows');
    await press('Add an item: rows');
    expect(marked('rows 1')).toBe('4');
    expect(sent()).toEqual({ age: 0, note: 'hello', rows: [4] });
  });
});

it('a number typed in full-width digits is that number', async () => {
  const { control, sent } = openForm({ count: { type: 'integer' } }, { text: '{"count":1}' });
  await control('count').setValue('１２');
  expect(sent()).toEqual({ count: 12 });
});

describe('a map', () => {
  it('takes Enter for adding the entry alone: it does not go on into the value that gets the focus', async () => {
    const { press, control, sent } = openForm({
      headers: { type: 'object', additionalProperties: { type: 'string' } },
    });
    await press('Set value: headers');
    const name = control('Name of the entry');
    await name.setValue('X-B');
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    name.element.dispatchEvent(enter);
    await until(() => document.activeElement?.getAttribute('aria-label') === 'X-B');
    expect(enter.defaultPrevented).toBe(true);
    expect(sent()).toEqual({ headers: { 'X-B': '' } });
  });
});

describe('a text', () => {
  const open = (schema: JsonSchema, value = 'ab') =>
    openForm({ note: { type: 'string', ...schema } }, { text: JSON.stringify({ note: value }) });
  const tag = ({ control }: ReturnType<typeof open>) => control('note').element.tagName;
  const paste = (form: ReturnType<typeof open>, text: string): Event => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => text } });
    form.control('note').element.dispatchEvent(event);
    return event;
  };

  it('is one line, in which Enter writes nothing, until Shift+Enter breaks it where the caret is', async () => {
    const form = open({});
    const line = form.control('note');
    expect(tag(form)).toBe('INPUT');
    line.element.focus();
    line.element.setSelectionRange(1, 1);
    await line.trigger('keydown', { key: 'Enter', shiftKey: true });
    await nextTick();
    expect(form.sent()).toEqual({ note: 'a\nb' });
    expect(tag(form)).toBe('TEXTAREA');
    expect(document.activeElement).toBe(form.control('note').element);
    expect(form.control('note').element.selectionStart).toBe(2);
  });

  it('stays an area when its last line break is deleted, and moves with its item', async () => {
    const form = openForm(
      { notes: { type: 'array', items: { type: 'string' } } },
      { text: '{"notes": ["a\\nb", "c"]}' },
    );
    await form.control('notes 1').setValue('ab');
    expect(form.control('notes 1').element.tagName).toBe('TEXTAREA');
    await form.press('Move down: notes 1');
    expect(form.control('notes 1').element.tagName).toBe('INPUT');
    expect(form.control('notes 2').element.tagName).toBe('TEXTAREA');
  });

  it('keeps every line break that is pasted, and what stood around it', async () => {
    const form = open({});
    form.control('note').element.setSelectionRange(1, 2);
    expect(paste(form, 'x\r\ny\nz\n').defaultPrevented).toBe(true);
    await nextTick();
    expect(form.sent()).toEqual({ note: 'ax\ny\nz\n' });
    expect(paste(open({}), 'one line').defaultPrevented).toBe(false);
    expect(paste(open({ format: 'email' }), 'a@b.c\nd').defaultPrevented).toBe(false);
  });

  it('becomes several lines by its button, with nothing changed', async () => {
    const form = open({});
    await form.press('Multiple lines (Shift+Enter): note');
    expect([tag(form), form.sent()]).toEqual(['TEXTAREA', { note: 'ab' }]);
  });

  it.each<[JsonSchema, string]>([
    [{ format: 'markdown' }, 'TEXTAREA'],
    [{ maxLength: 4_000 }, 'TEXTAREA'],
    [{ contentMediaType: 'application/json' }, 'TEXTAREA'],
    [{ contentMediaType: 'text/html' }, 'TEXTAREA'],
    [{ default: 'one\ntwo' }, 'TEXTAREA'],
    [{ maxLength: 80 }, 'INPUT'],
    [{ format: 'email', maxLength: 4_000 }, 'INPUT'],
  ])('is drawn as its schema says: %j as %s', (schema, expected) => {
    expect(tag(open(schema))).toBe(expected);
  });

  it('with a carriage return is shown as JSON, so that none is lost', async () => {
    const form = open({}, 'a\r\nb');
    expect(form.control('note').element.value).toBe('"a\\r\\nb"');
    await form.control('note').setValue('"a\\r\\nc"');
    expect(form.sent()).toEqual({ note: 'a\r\nc' });
  });
});

describe('a date', () => {
  const date: JsonSchema = { type: 'string', format: 'date' };
  const picker = ({ form }: ReturnType<typeof openForm>) => form.get<HTMLInputElement>('input[type="date"]');

  it('begins with nothing wrong, names its form if something is, and sends nothing once it is emptied', async () => {
    const form = openForm({ since: date });
    await form.press('Set value: since');
    expect(form.control('since').attributes()).toMatchObject({ placeholder: 'YYYY-MM-DD' });
    expect(form.form.text()).toContain('Not sent while empty.');
    expect(form.form.find('[role="alert"]').exists()).toBe(false);
    await form.control('since').setValue('31 Jan');
    expect(form.form.get('[role="alert"]').text()).toBe('Invalid date. Use YYYY-MM-DD, such as 2026-01-31.');
    expect(form.sent()).toEqual({ since: '31 Jan' });
    await form.control('since').setValue('');
    expect(form.sent()).toEqual({});
  });

  it('takes the picked value, and opens the picker at the current one', async () => {
    const form = openForm({ since: date }, { text: '{"since": "2026-01-31"}' });
    expect(picker(form).element.value).toBe('2026-01-31');
    await picker(form).setValue('2026-02-28');
    expect(form.sent()).toEqual({ since: '2026-02-28' });
    expect(form.button('Pick a date: since').attributes('disabled')).toBeUndefined();
  });

  it('that an item or a required field still waits for is missing, not wrong, until a run was tried', async () => {
    const properties = { days: { type: 'array', items: date }, due: date };
    const quiet = openForm(properties, { required: ['due'], text: '{"days": [""], "due": ""}' });
    expect(quiet.form.findAll('[role="alert"]')).toEqual([]);
    expect(quiet.form.findAll('.field-hint').map((hint) => hint.text())).toHaveLength(2);
    expect(quiet.args.issues.value.map(isUnfilled)).toEqual([true, true]);
    const tried = openForm(properties, { required: ['due'], text: '{"days": [""], "due": ""}', showMissing: true });
    expect(tried.form.findAll('[role="alert"]')).toHaveLength(2);
  });
});

describe('a field that is not filled in', () => {
  it('shows what it is for, sent or not, and beside what is wrong with it', async () => {
    const form = openForm({ age: { type: 'integer', minimum: 1, description: 'In years' } });
    expect(form.form.text()).toContain('In years');
    await form.press('Set value: age');
    await form.control('age').setValue('0');
    expect(form.form.text()).toMatch(/0 is below the minimum, 1\..*In years/);
  });

  it('with a default that is required offers the default, and does not show it as if it stood there', async () => {
    const form = openForm({ b: { type: 'integer', default: 7 } }, { required: ['b'] });
    expect(form.control('b').attributes('placeholder')).toBeUndefined();
    expect(form.form.text()).toContain('Nothing is filled in.');
    await form.press('Use 7');
    expect(form.sent()).toEqual({ b: 7 });
    const tried = openForm({ b: { type: 'integer', default: 7 } }, { required: ['b'], showMissing: true });
    expect(tried.form.get('[role="alert"]').text()).toBe('Required. Use 7');
  });
});

describe('a choice', () => {
  const titled: JsonSchema = {
    oneOf: [
      { const: 'r', title: 'Red' },
      { const: 'g', title: 'Green' },
    ],
  };

  it('is called by its titles, and says which value is sent', async () => {
    const form = openForm({ color: titled }, { required: ['color'] });
    const [red] = form.form.findAll('[role="radio"]');
    expect(form.form.findAll('[role="radio"]').map((one) => one.text())).toEqual(['Red', 'Green']);
    await red?.trigger('click');
    expect(form.sent()).toEqual({ color: 'r' });
    expect(form.form.get('.sent').text()).toBe('"r"');
  });

  it.each<[JsonValue[], Record<string, string>, string[]]>([
    [[1, '1', true, 'true', null, 'max'], {}, ['1', '"1"', 'true', '"true"', 'null', 'max']],
    [['1', '2', ''], {}, ['1', '2', '""']],
    [['a', 'b', 'c'], { '"a"': 'One', '"b"': 'One' }, ['One ("a")', 'One ("b")', 'c']],
  ])('of %j with the titles %j shows %j', (options, titles, expected) => {
    expect(optionLabels(options, new Map(Object.entries(titles)))).toEqual(expected);
  });

  it('of several, each at most once, is boxes to tick; what boxes cannot show is rows', async () => {
    const tags: JsonSchema = { type: 'array', uniqueItems: true, items: { enum: ['x', 'y', 'z'] } };
    const form = openForm({ tags });
    await form.press('Set value: tags');
    const boxes = () => form.form.findAll<HTMLInputElement>('input[type="checkbox"]');
    await boxes()[2]?.setValue(true);
    await boxes()[0]?.setValue(true);
    expect(form.sent()).toEqual({ tags: ['z', 'x'] });
    await boxes()[2]?.setValue(false);
    expect(form.sent()).toEqual({ tags: ['x'] });
    expect(boxes().map(({ element }) => element.checked)).toEqual([true, false, false]);
    for (const odd of ['["x", "q"]', '["x", "x"]']) {
      const rows = openForm({ tags }, { text: `{"tags": ${odd}}` });
      expect([rows.form.findAll('input[type="checkbox"]').length, rows.form.findAll('.item').length]).toEqual([0, 2]);
    }
  });

  it('takes titles of enumNames, and of the items of a list', () => {
    const items = { ...titled };
    const list: JsonSchema = { type: 'array', uniqueItems: true, items };
    const form = openForm({ list, e: { enum: [1, 2], enumNames: ['Low', 'High'] } }, { required: ['list', 'e'] });
    expect(form.form.findAll('.box').map((one) => one.text())).toEqual(['Red"r"', 'Green"g"']);
    expect(form.form.findAll('[role="radio"]').map((one) => one.text())).toEqual(['Low', 'High']);
  });
});

describe('a value of any type', () => {
  const choose = async ({ form }: ReturnType<typeof openForm>, kind: string): Promise<void> => {
    await form.get('[role="combobox"]').trigger('keydown', { key: 'Enter' });
    await until(() => document.querySelector('[role="option"]'));
    const option = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(
      (one) => one.textContent.trim() === kind,
    );
    option?.focus();
    option?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await until(() => document.querySelector('[role="option"]') === null);
  };

  it('is written as the kind that is chosen, and says one thing at a time', async () => {
    const form = openForm({ any: { description: 'Whatever' } });
    await form.press('Set value: any');
    expect(form.sent()).toEqual({});
    await choose(form, 'string');
    await form.control('any').setValue('hello');
    expect(form.sent()).toEqual({ any: 'hello' });
    await choose(form, 'array');
    expect(form.sent()).toEqual({ any: [] });
    await form.control('any').setValue('[1');
    expect(form.form.text()).toContain('Not sent until it is valid JSON');
    expect(form.form.text()).not.toContain('Not sent while empty');
    await form.press('null: any');
    expect(form.sent()).toEqual({ any: null });
  });

  it.each([
    ['{"any": 1.50}', 'number'],
    ['{"any": {"a": [1]}}', 'object'],
    ['{"any": true}', 'boolean'],
  ])('shows %s by its type', (text, kind) => {
    const form = openForm({ any: {} }, { text });
    expect(form.form.get('[role="combobox"]').text()).toBe(kind);
    expect(form.args.text.value).toBe(text);
  });

  it.each<JsonSchema>([{}, { type: ['integer', 'array'] }])(
    'of %j keeps its field while it is emptied and written anew',
    async (schema) => {
      const form = openForm({ any: schema }, { text: '{"any": 5}' });
      await form.control('any').setValue('');
      expect(form.sent()).toEqual({});
      await form.control('any').setValue('6');
      expect(form.sent()).toEqual({ any: 6 });
      await form.press('Clear: any');
      expect(form.button('Set value: any').exists()).toBe(true);
    },
  );
});

describe('many fields', () => {
  it('are drawn a few a frame, up to a hundred, and the rest when asked for', async () => {
    const form = openForm(Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`f${String(at)}`, {}])));
    const rows = () => form.form.findAll('[data-field]').length;
    expect(rows()).toBe(20);
    await until(() => rows() === 100);
    await form.press('Show 30 more fields');
    await until(() => rows() === 130);
    await form.form.get('[role="searchbox"]').setValue('f12');
    expect(rows()).toBe(11);
    await form.form.get('[role="searchbox"]').setValue('');
    await until(() => rows() === 130);
  });
});

describe('what a schema says besides its type', () => {
  it('is shown: examples to take with one press, and what is deprecated or set by the tool', async () => {
    const { form, press, sent } = openForm(
      {
        color: { type: 'string', examples: ['red', 'green'], deprecated: true },
        size: { type: 'integer', examples: [3], readOnly: true },
      },
      { required: ['color', 'size'] },
    );
    expect(form.findAll('.mark').map((mark) => mark.text())).toEqual(['deprecated', 'read-only']);
    await press('Use green: color');
    await press('Use 3: size');
    expect(sent()).toEqual({ color: 'green', size: 3 });
  });

  it('offers an empty list or object only if it may be sent', () => {
    const to = (minItems: number): JsonSchema => ({ type: 'array', items: { type: 'string' }, minItems });
    const address = (required: string[]): JsonSchema => ({ type: 'object', properties: { city: {} }, required });
    const all = ['to', 'address'];
    const free = openForm({ to: to(0), address: address([]) }, { required: all });
    expect(free.form.text()).toContain('Send []');
    expect(free.form.text()).toContain('Send {}');
    const bound = openForm({ to: to(1), address: address(['city']) }, { required: all });
    expect(bound.form.text()).not.toContain('Send []');
    expect(bound.form.text()).not.toContain('Send {}');
  });

  it('shows a long text field with several lines', () => {
    const { form } = openForm(
      { a: { type: 'string', format: 'textarea' }, b: { type: 'string', maxLength: 100_000 } },
      { required: ['a', 'b'] },
    );
    expect(form.findAll('textarea').map((area) => area.element.style.minHeight)).toEqual(['60px', '60px']);
  });
});

it('a JSON field whose object is written anew shows what is there, and nothing keeps the call from being sent', async () => {
  const { args, control } = openForm(
    { box: { type: 'object', properties: { any: { type: 'object' } }, required: ['any'] } },
    { required: ['box'] },
  );
  await control('any').setValue('{');
  expect(args.drafts.size).toBe(1);
  args.set(['box'], '{"other": 1}');
  await nextTick();
  expect([args.drafts.size, control('any').element.value]).toEqual([0, '']);
});

it('a field of more than 100 values says how many there are, and two of them, before anything is typed', () => {
  const values = (count: number) => ({
    type: 'string',
    enum: Array.from({ length: count }, (_, at) => `choice ${at}`),
  });
  const { form } = openForm({ many: values(9_900), few: values(100) });
  expect(form.get('[data-field="many"]').text()).toContain('One of 9,900 values, for example "choice 0", "choice 1".');
  expect(form.get('[data-field="few"]').text()).not.toContain('One of');
});

it('folds optional arguments that have no value, and moves none while they are in view', async () => {
  const optional = Object.fromEntries(['b', 'c', 'd', 'e'].map((name) => [name, { type: 'string' as const }]));
  const { press, button, sent, form } = openForm({ a: { type: 'string' }, ...optional }, { required: ['a'] });
  const fields = () => form.findAll('[data-field]').map((one) => one.attributes('data-field'));
  expect(fields()).toEqual(['a']);
  await press('4 optional arguments not set');
  expect(fields()).toEqual(['a', 'b', 'c', 'd', 'e']);
  await press('Set value: d');
  expect(fields()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(sent()).toEqual({ d: '' });
  await press('4 optional arguments');
  expect(fields()).toEqual(['a', 'd']);
  expect(button('3 optional arguments not set').attributes('aria-expanded')).toBe('false');
});

it('shows a single allowed value as a text, with a link that sets it', async () => {
  const { press, sent, form } = openForm(
    { kind: { const: 'lamp' }, unit: { enum: [7] } },
    { required: ['kind', 'unit'] },
  );
  expect(form.find('[role="radio"]').exists()).toBe(false);
  await press('Use lamp: kind');
  await press('Use 7: unit');
  expect(sent()).toEqual({ kind: 'lamp', unit: 7 });
  expect(form.text()).not.toContain('Use lamp');
});
