import { Plug } from '@lucide/vue';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { h, nextTick, ref } from 'vue';

import Button from '../../../renderer/ui/Button.vue';
import ConfirmDialog from '../../../renderer/ui/ConfirmDialog.vue';
import Menu from '../../../renderer/ui/Menu.vue';
import EmptyState from '../../../renderer/ui/EmptyState.vue';
import FieldMessage from '../../../renderer/ui/FieldMessage.vue';
import NumberField from '../../../renderer/ui/NumberField.vue';
import SearchField from '../../../renderer/ui/SearchField.vue';
import SegmentedControl from '../../../renderer/ui/SegmentedControl.vue';
import SelectField from '../../../renderer/ui/SelectField.vue';
import SourceIcon from '../../../renderer/ui/SourceIcon.vue';
import SwitchField from '../../../renderer/ui/SwitchField.vue';
import Splitter from '../../../renderer/ui/Splitter.vue';
import Tabs from '../../../renderer/ui/Tabs.vue';
import TextField from '../../../renderer/ui/TextField.vue';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { giveLayout } from '../layout.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('an empty pane hints at its rows, to the eye alone', () => {
  const props = { icon: Plug, title: 'No server yet', text: 'Add one.' };
  const pane = window.mount(EmptyState, { ...props, rows: true });
  expect(pane.findAll('[aria-hidden="true"] > span')).toHaveLength(3);
  expect(pane.text()).toBe('No server yetAdd one.');
  expect(window.mount(EmptyState, props).find('.rows').exists()).toBe(false);
});

it('a menu keeps the item in front if an equal one before it goes', async () => {
  const run = vi.fn();
  const items = ref(['a', 'b'].map((key) => ({ key, label: 'Cancel wait', run: () => run(key) })));
  const menu = window.mount(() => h(Menu, { items: items.value }, () => h('button', 'Calls')));
  await menu.get('button').trigger('keydown', { key: 'ArrowDown' });
  const all = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  await vi.waitUntil(() => all().length === 2);
  const second = all()[1];
  second?.focus();
  items.value = items.value.slice(1);
  await vi.waitUntil(() => all().length === 1);
  expect([all()[0], document.activeElement]).toEqual([second, second]);
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  expect(run.mock.calls).toEqual([['b']]);
});

describe('Button', () => {
  const clicks = vi.fn();
  const make = (props: Record<string, unknown>) =>
    window.mount(() => h(Button, { onClick: clicks, ...props }, () => 'Run')).get('button');
  beforeEach(() => clicks.mockClear());

  it('runs when clicked', async () => {
    await make({}).trigger('click');
    expect(clicks).toHaveBeenCalledOnce();
  });

  it('while busy says the verb in -ing and takes no second click', async () => {
    const button = make({ busy: true, busyLabel: 'Running' });
    await button.trigger('click');
    expect(clicks).not.toHaveBeenCalled();
    expect(button.text()).toBe('Running');
    expect(button.attributes('aria-busy')).toBe('true');
  });

  it('disabled with a reason can be reached, says why, and does nothing', async () => {
    const button = make({ reason: 'Choose a tool first' });
    await button.trigger('click');
    expect(clicks).not.toHaveBeenCalled();
    expect(button.attributes()).toMatchObject({ 'aria-disabled': 'true' });
    expect(button.attributes('disabled')).toBeUndefined();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }));
    button.element.focus();
    await vi.waitUntil(() => document.querySelector('[role="tooltip"]'));
    expect(document.querySelector('[role="tooltip"]')?.textContent).toContain('Choose a tool first');
  });

  it('submits its form if it is a submit button, unless it is busy or disabled', async () => {
    const submits = vi.fn((event: Event) => event.preventDefault());
    const click = (props: Record<string, unknown>) =>
      window
        .mount(() =>
          h(
            'form',
            { onSubmit: submits },
            h(Button, props, () => 'Save'),
          ),
        )
        .get('button')
        .trigger('click');
    for (const props of [{}, { type: 'submit', busy: true }, { type: 'submit', reason: 'Nothing to save' }]) {
      await click(props);
      expect(submits).not.toHaveBeenCalled();
    }
    await click({ type: 'submit' });
    expect(submits).toHaveBeenCalledOnce();
  });

  it('disabled without one is plainly disabled; pressed is only said if it means something', () => {
    expect(make({ disabled: true }).attributes('disabled')).toBeDefined();
    expect(make({}).attributes('aria-pressed')).toBeUndefined();
    expect(make({ pressed: false }).attributes('aria-pressed')).toBe('false');
  });
});

describe('fields', () => {
  it('a text field is named, marked when invalid, and keeps what is written', async () => {
    const wrapper = window.mount(TextField, { modelValue: '', label: 'Name', invalid: true, class: 'wide' });
    const input = wrapper.get('input');
    expect(input.attributes()).toMatchObject({ 'aria-label': 'Name', 'aria-invalid': 'true' });
    expect(wrapper.get('.field').classes()).toEqual(expect.arrayContaining(['wide', 'bad']));
    await input.setValue(' 书房 ');
    expect(wrapper.emitted('update:modelValue')).toEqual([[' 书房 ']]);
    await input.trigger('keydown', { key: 'Enter', isComposing: true });
    expect(wrapper.emitted('enter')).toBeUndefined();
    await input.trigger('keydown', { key: 'Enter' });
    expect(wrapper.emitted('enter')).toHaveLength(1);
  });

  it.each([
    ['1', 'ArrowUp', { step: 0.1 }, '1.1'],
    ['0.2', 'ArrowUp', { step: 0.1 }, '0.3'],
    ['99', 'ArrowUp', { max: 99 }, '99'],
    ['', 'ArrowDown', { min: -5 }, '-1'],
  ])('a number steps from %j by %s with %j to %j', async (from, key, limits, to) => {
    const wrapper = window.mount(NumberField, { modelValue: from, label: 'Volume', ...limits });
    await wrapper.get('input').trigger('keydown', { key });
    expect(wrapper.emitted('update:modelValue')?.at(-1) ?? [from]).toEqual([to]);
  });

  it('a number field keeps text that is not a number, and every digit of one that is', async () => {
    const wrapper = window.mount(NumberField, { modelValue: 'many', label: 'Volume' });
    await wrapper.get('input').trigger('keydown', { key: 'ArrowUp' });
    expect(wrapper.emitted('update:modelValue')).toBeUndefined();
    await wrapper.get('input').setValue('9007199254740993');
    expect(wrapper.emitted('update:modelValue')).toEqual([['9007199254740993']]);
  });

  it('a number is selected when the focus comes, so that what is typed replaces it; a drag keeps what it marked', async () => {
    const wrapper = window.mount(NumberField, { modelValue: '100', label: 'Calls' });
    const { element } = wrapper.get('input');
    const marked = (): string => element.value.slice(element.selectionStart ?? 0, element.selectionEnd ?? 0);
    element.setSelectionRange(3, 3);
    element.focus();
    expect(marked()).toBe('100');
    element.blur();
    const press = async (from: number, to: number): Promise<void> => {
      await wrapper.get('input').trigger('pointerdown');
      element.focus();
      element.setSelectionRange(from, to);
      await wrapper.get('input').trigger('click');
    };
    await press(2, 2);
    expect(marked()).toBe('100');
    await press(1, 1);
    expect(marked()).toBe('');
    element.blur();
    await press(0, 1);
    expect(marked()).toBe('1');
  });

  it('a message offers its remedy in one click', async () => {
    const wrapper = window.mount(FieldMessage, { message: '4096 is above the maximum, 1600.', remedy: 'Use 1600' });
    expect(wrapper.attributes('role')).toBe('alert');
    await wrapper.get('button').trigger('click');
    expect(wrapper.emitted('remedy')).toHaveLength(1);
  });
});

describe('choices', () => {
  const options = [
    { value: 'a', label: 'First' },
    { value: '', label: 'Empty' },
    { value: 'c', label: 'Third' },
  ];

  it('tabs are moved by arrows, round, and only the chosen one is a stop', async () => {
    const tabs = options.map(({ value, label }) => ({ value, label }));
    const wrapper = window.mount(Tabs, { modelValue: 'a', tabs, label: 'Views' });
    await wrapper.get('[role="tablist"]').trigger('keydown', { key: 'ArrowLeft' });
    expect(wrapper.emitted('update:modelValue')).toEqual([['c']]);
    expect(wrapper.findAll('[role="tab"]').map((tab) => tab.attributes('tabindex'))).toEqual(['-1', '-1', '0']);
  });

  it('a segmented control is a radio group', async () => {
    const wrapper = window.mount(SegmentedControl, { modelValue: 'a', options, label: 'Mode' });
    expect(wrapper.findAll('[role="radio"]').map((radio) => radio.attributes('aria-checked'))).toEqual([
      'true',
      'false',
      'false',
    ]);
    await wrapper.findAll('[role="radio"]')[2]?.trigger('click');
    expect(wrapper.emitted('update:modelValue')).toEqual([['c']]);
  });

  it("a select of thousands is the browser's own, and chooses like a shorter one", async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => ({ value: `d${at}`, label: `Board ${at}` }));
    const wrapper = window.mount(SelectField, {
      modelValue: undefined,
      options: many,
      label: 'Device',
      placeholder: '…',
    });
    const select = wrapper.get<HTMLSelectElement>('select[aria-label="Device"]');
    expect(select.element.selectedOptions[0]?.text).toBe('…');
    await select.setValue('1234');
    expect(wrapper.emitted('update:modelValue')).toEqual([['d1234']]);
  });

  it('a select opens by the keyboard and can choose an empty value', async () => {
    const wrapper = window.mount(SelectField, { modelValue: 'a', options, label: 'Kind' });
    await wrapper.get('button').trigger('keydown', { key: 'Enter' });
    await vi.waitUntil(() => document.querySelectorAll('[role="option"]').length === 3);
    const [, empty] = document.querySelectorAll<HTMLElement>('[role="option"]');
    empty?.focus();
    empty?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await vi.waitUntil(() => wrapper.emitted('update:modelValue'));
    expect(wrapper.emitted('update:modelValue')).toEqual([['']]);
  });
});

describe('SearchField', () => {
  it('is reached by / from the pane but not while typing; Esc clears, then leaves', async () => {
    const query = ref('');
    const wrapper = window.mount(() => [
      h('textarea', { id: 'elsewhere' }),
      h(SearchField, {
        modelValue: query.value,
        'onUpdate:modelValue': (text: string) => (query.value = text),
        label: 'Search',
      }),
    ]);
    const input = wrapper.get<HTMLInputElement>('input');
    const elsewhere = document.querySelector<HTMLTextAreaElement>('#elsewhere')!;
    elsewhere.focus();
    elsewhere.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.blur();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
    expect(document.activeElement).toBe(input.element);
    await input.setValue('volume');
    await input.trigger('keydown', { key: 'Escape' });
    expect(input.element.value).toBe('');
    await input.trigger('keydown', { key: 'Escape' });
    expect(document.activeElement).not.toBe(input.element);
  });
});

describe('Splitter', () => {
  it('moves by the arrows within its limits, and remembers', async () => {
    const settings = window.use(() => useSettings());
    await vi.waitUntil(() => settings.loaded);
    const wrapper = window.mount(Splitter, { name: 'test', label: 'Resize', size: 400, min: 300, max: 450 });
    const line = wrapper.get('[role="separator"]');
    expect(line.attributes('aria-valuenow')).toBe('400');
    await line.trigger('keydown', { key: 'ArrowLeft' });
    expect(line.attributes('aria-valuenow')).toBe('416');
    await line.trigger('keydown', { key: 'End' });
    expect(line.attributes('aria-valuenow')).toBe('450');
    await line.trigger('keydown', { key: 'Home' });
    expect(wrapper.get<HTMLElement>('.split-side').element.style.flexBasis).toBe('300px');
    await settings.flush();
    expect((await window.connection.client.settings.get()).ui['split.test']).toBe(300);
    await line.trigger('dblclick');
    expect(line.attributes('aria-valuenow')).toBe('400');
  });
});

describe('Splitter without room', () => {
  it('leaves the side region what the main one has no use for, if stacked', async () => {
    const undo = giveLayout({ width: 500, height: 600 });
    onTestFinished(undo);
    const options = { name: 'rest', label: 'Resize', size: 400, min: 300, mainMin: 260 };
    const wrapper = window.mount(Splitter, { ...options, mainContent: 150 });
    await vi.waitUntil(() => wrapper.find('.splitter.in-column').exists());
    expect(wrapper.get('.split-side').attributes('style')).toContain('449px');
  });

  it('stacks its regions, each with its own size', async () => {
    const undo = giveLayout({ width: 500, height: 600 });
    onTestFinished(undo);
    const wrapper = window.mount(Splitter, { name: 'test', label: 'Resize', size: 400, min: 300, mainMin: 260 });
    await vi.waitUntil(() => wrapper.find('.splitter.in-column').exists());
    const line = wrapper.get('[role="separator"]');
    expect(line.attributes()).toMatchObject({ 'aria-orientation': 'horizontal', 'aria-valuenow': '240' });
    await line.trigger('keydown', { key: 'ArrowUp' });
    expect(line.attributes('aria-valuenow')).toBe('256');
    await line.trigger('keydown', { key: 'End' });
    expect(line.attributes('aria-valuenow')).toBe('480');
    expect(window.use(() => useSettings()).own).toMatchObject({ 'split.test.stacked': 480 });
  });
});

describe('ConfirmDialog', () => {
  it('focuses the safe button; only the verb confirms', async () => {
    const wrapper = window.mount(ConfirmDialog, {
      open: true,
      title: 'Restart 书房音箱?',
      text: 'The board is away for some seconds.',
      confirm: 'Restart',
    });
    const dialog = await vi.waitUntil(() => document.querySelector('[role="alertdialog"]'));
    const buttons = [...dialog.querySelectorAll('button')];
    await vi.waitUntil(() => document.activeElement === buttons[0]);
    expect(buttons.map((button) => button.textContent?.trim())).toEqual(['Cancel', 'Restart']);
    buttons[1]?.click();
    await nextTick();
    expect(wrapper.emitted('confirm')).toHaveLength(1);
    expect(wrapper.emitted('update:open')).toContainEqual([false]);
  });
});

it('the words beside a switch toggle it', async () => {
  const field = window.mount(SwitchField, { modelValue: false, label: 'Slow' });
  expect(field.find('label').exists()).toBe(false);
  const named = window.mount({
    render: () => h(SwitchField, { modelValue: false, label: 'Slow' }, () => h('b', 'Slow')),
  });
  await named.get('b').trigger('click');
  expect(named.getComponent(SwitchField).emitted('update:modelValue')).toEqual([[true]]);
});

it('a source icon has a name for those who do not see it', () => {
  expect(window.mount(SourceIcon, { kind: 'mcp' }).attributes()).toMatchObject({
    role: 'img',
    'aria-label': 'MCP server',
  });
});
