import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import ModelKey from '../../../../renderer/features/models/settings/ModelKey.vue';
import ModelsSettings from '../../../../renderer/features/settings/ModelsSettings.vue';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { startScriptedChatServer, type ScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

const key = 'sk-live-0123456789abcdef';
let window: TestWindow;
let server: ScriptedChatServer;
windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  server = await startScriptedChatServer({ apiKey: key, models: ['a', 'b'], turns: () => ({ text: 'ready' }) });
});
afterEach(async () => {
  await server.close();
  setLanguage('en');
});

const client = () => window.connection.client.models;
const field = (pane: VueWrapper, label: string) => pane.get<HTMLInputElement>(`input[aria-label="${label}"]`);
const button = (pane: VueWrapper, text: string) => {
  const found = pane.findAll('button').find((one) => one.text() === text);
  if (found === undefined)
    throw new Error(
      `No button “${text}”: ${pane
        .findAll('button')
        .map((one) => one.text())
        .join(', ')}`,
    );
  return found;
};

const until = (check: () => boolean) => vi.waitUntil(check);

async function open(name?: RegExp): Promise<VueWrapper> {
  const pane = window.mount(ModelsSettings);
  await until(() => pane.findAll('.model').length > 0);
  if (name !== undefined)
    await pane
      .findAll('.model-line')
      .find((line) => name.test(line.text()))!
      .trigger('click');
  return pane;
}

async function saveReal(more: { id?: string; label?: string; model?: string } = {}): Promise<string> {
  const { id } = await client().save({
    kind: 'openai-compatible',
    label: 'Real',
    preset: 'deepseek',
    baseUrl: server.baseUrl,
    model: 'a',
    stream: true,
    totalMs: 120_000,
    chunkMs: 60_000,
    ...more,
  });
  return id;
}

describe('the list of models', () => {
  it('has the scripted one, in the window’s language, until it is renamed', async () => {
    setLanguage('zh');
    const pane = await open();
    expect(pane.get('.model').text()).toContain('脚本模型');
    expect(pane.get('.model').text()).toContain('默认');
    const [model] = (await client().list()).models;
    if (model?.kind !== 'scripted') return expect.unreachable();
    await client().save({ kind: 'scripted', id: 'scripted', label: 'Plane', script: { turns: [{ text: 'a' }] } });
    await until(() => pane.get('.model').text().includes('Plane'));
  });

  it('says of each what it is, which is the default and where a key is missing', async () => {
    await saveReal();
    const pane = await open();
    await until(() => pane.findAll('.model').length === 2);
    const [scripted, real] = pane.findAll('.model');
    expect(real!.text()).toContain(`a · ${new URL(server.baseUrl).host}`);
    await until(() => real!.text().includes('No key yet'));
    // It was added, not chosen.
    expect([scripted, real].map((model) => model!.text().includes('Default'))).toEqual([true, false]);
  });

  it('adds a model whose chats begin with native calls, and keeps that when it is saved', async () => {
    const pane = await open();
    await button(pane, 'Add a model').trigger('click');
    const item = (): HTMLElement | undefined =>
      [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find((each) =>
        each.textContent?.includes('vLLM'),
      );
    await until(() => item() !== undefined);
    item()?.click();
    await until(() => pane.findAll('.model').length === 2);
    await field(pane, 'Temperature').setValue('0.5');
    await button(pane, 'Save').trigger('click');
    await until(() => !pane.text().includes('Unsaved changes'));
    expect((await client().list()).models[1]).toMatchObject({ temperature: 0.5, protocol: 'native' });
  });

  it('opens one at a time', async () => {
    await saveReal();
    const pane = await open(/Real/);
    expect(pane.findAll('[aria-expanded="true"].model-line')).toHaveLength(1);
    await pane.findAll('.model-line')[0]!.trigger('click');
    expect(pane.findAll('.model-body')).toHaveLength(1);
    expect(pane.find('.script-editor').exists()).toBe(true);
  });
});

describe('a model behind a server', () => {
  it('is saved as a whole, and shows what the engine refused at its field', async () => {
    await saveReal();
    const pane = await open(/Real/);
    expect(pane.text()).not.toContain('Unsaved changes');
    await field(pane, 'Base URL').setValue('nowhere');
    await field(pane, 'Temperature').setValue('0.5');
    expect(pane.text()).toContain('Unsaved changes');
    await button(pane, 'Save').trigger('click');
    await until(() => pane.find('[role="alert"]').text().includes('nowhere'));
    expect(field(pane, 'Base URL').attributes('aria-invalid')).toBe('true');
    // It may be out of sight of the button.
    expect(document.activeElement).toBe(field(pane, 'Base URL').element);
    // What was refused is no longer what is written.
    await field(pane, 'Temperature').setValue('0.6');
    expect(field(pane, 'Base URL').attributes('aria-invalid')).toBeUndefined();
    await field(pane, 'Base URL').setValue(server.baseUrl);
    await button(pane, 'Save').trigger('click');
    await until(() => !pane.text().includes('Unsaved changes'));
    expect((await client().list()).models[1]).toMatchObject({ temperature: 0.6, baseUrl: server.baseUrl });
  });

  it('keeps numbers in their range before anything is sent', async () => {
    await saveReal();
    const pane = await open(/Real/);
    await field(pane, 'Temperature').setValue('3');
    expect(pane.text()).toContain('A number from 0 to 2.');
    expect(button(pane, 'Save').attributes('aria-disabled')).toBe('true');
    await field(pane, 'Temperature').setValue('');
    await field(pane, 'Max tokens').setValue('1.5');
    expect(pane.text()).toContain('A whole number from 1');
    await button(pane, 'Discard changes').trigger('click');
    expect(field(pane, 'Max tokens').element.value).toBe('');
    expect(pane.text()).not.toContain('Unsaved changes');
  });

  it('shows what another window changed, and keeps what is being typed here', async () => {
    const id = await saveReal();
    const pane = await open(/Real/);
    await field(pane, 'Name').setValue('Mine');
    await saveReal({ id, label: 'Theirs', model: 'b' });
    await until(() => field(pane, 'Model ID').element.value === 'b');
    expect(field(pane, 'Name').element.value).toBe('Mine');
  });

  it('takes a key in and never shows it', async () => {
    await saveReal();
    const pane = await open(/Real/);
    await until(() => pane.text().includes('This server needs a key.'));
    const input = field(pane, 'Key');
    expect(input.attributes('type')).toBe('password');
    expect(pane.text()).toContain('secrets.json');
    await input.setValue(key);
    await button(pane, 'Save key').trigger('click');
    await until(() => pane.text().includes('Key is set.'));
    expect(pane.html()).not.toContain(key);
    expect(pane.find('input[aria-label="Key"]').exists()).toBe(false);
    await button(pane, 'Replace').trigger('click');
    expect(field(pane, 'Key').element.value).toBe('');
    await field(pane, 'Key').setValue('a b');
    await button(pane, 'Save key').trigger('click');
    await until(() => pane.find('.model-key [role="alert"]').exists());
  });

  it('shows a key as set once it is stored, so that the end of that closes no field', async () => {
    const stored = Promise.withResolvers<undefined>();
    const props = { hasKey: true, needsKey: true, modelValue: key, change: () => stored.promise };
    const pane = window.mount(ModelKey, {
      ...props,
      'onUpdate:modelValue': (now: string) => pane.setProps({ modelValue: now }),
    });
    await button(pane, 'Save key').trigger('click');
    expect(pane.text()).not.toContain('Key is set.');
    stored.resolve(undefined);
    await until(() => pane.text().includes('Key is set.'));
  });

  it('is tested with the key that is typed, which is kept; a key that cannot be one is said at its field', async () => {
    await saveReal();
    const pane = await open(/Real/);
    await field(pane, 'Key').setValue('with a space');
    await button(pane, 'Save and test').trigger('click');
    await until(() => pane.find('.model-key [role="alert"]').exists());
    await until(() => pane.findAll('button').some((one) => one.text() === 'Save and test'));
    expect(pane.find('.connection-steps').exists()).toBe(false);
    await field(pane, 'Key').setValue(key);
    expect(button(pane, 'Save and load models').exists()).toBe(true);
    const reveal = vi.spyOn(Element.prototype, 'scrollIntoView');
    await button(pane, 'Save and test').trigger('click');
    await until(() => pane.findAll('.connection-steps .state.ok').length === 4);
    expect(reveal.mock.contexts).toContain(pane.get('.connection-steps').element.parentElement);
    reveal.mockRestore();
    expect(pane.text()).toContain('Key is set.');
    expect([button(pane, 'Test').exists(), button(pane, 'Load models').exists()]).toEqual([true, true]);
    // The first model that passes is the default one from then on, and the user is told.
    const toasts = window.use(() => useToasts());
    await until(() => toasts.list.some(({ title }) => title === 'Real is now the default model'));
    toasts.list.find(({ title }) => title === 'Real is now the default model')?.action?.run();
    await vi.waitUntil(
      async () => (await client().list()).models.find(({ isDefault }) => isDefault)?.kind === 'scripted',
    );
  });

  it('can be made the default, recorded and removed after a question', async () => {
    const id = await saveReal();
    await client().setDefault({ id: 'scripted' });
    const pane = await open(/Real/);
    await until(() => button(pane, 'Make default').attributes('aria-disabled') === undefined);
    await button(pane, 'Make default').trigger('click');
    await until(() => button(pane, 'Make default').attributes('aria-disabled') === 'true');
    await button(pane, 'Record replies').trigger('click');
    await until(() => pane.text().includes('no reply yet'));
    await button(pane, 'Stop recording').trigger('click');
    const toasts = window.use(() => useToasts());
    await until(() => toasts.list.some(({ title }) => title === 'Nothing was recorded'));
    await button(pane, 'Remove').trigger('click');
    await flushPromises();
    await until(() => pane.findAll('.model').length === 1);
    expect((await client().list()).models.some((model) => model.id === id)).toBe(false);
    await until(() => toasts.list.at(-1)?.title === 'The model “Real” was removed');
    toasts.list.at(-1)?.action?.run();
    await until(() => pane.findAll('.model').length === 2);
  });
});

describe('a scripted model', () => {
  const area = (pane: VueWrapper) => pane.get<HTMLTextAreaElement>('.script-editor textarea');

  it('is checked while it is written and saved once it can be used', async () => {
    const pane = await open(/Scripted model/);
    await until(() => pane.text().includes('The script is valid.'));
    await area(pane).setValue('{"turns":[{"text":5}]}');
    await until(() => pane.find('.script-problems li').exists());
    expect(pane.get('.script-problems').text()).toContain('turns[0].text');
    expect(button(pane, 'Save').attributes('disabled')).toBeDefined();
    await pane.get('.script-problems .words').trigger('click');
    const { selectionStart, selectionEnd, value } = area(pane).element;
    expect(value.slice(selectionStart, selectionEnd)).toBe('5');

    await area(pane).setValue('{"turns":[{"text":');
    await until(() => /Line 1, column \d+/.test(pane.get('.script-problems').text()));
    await area(pane).setValue('{"turns":[{"text":"Hi"}]}');
    await until(() => pane.text().includes('The script is valid.'));
    await button(pane, 'Save').trigger('click');
    await until(() => !pane.text().includes('Unsaved changes'));
    expect((await client().list()).models[0]).toMatchObject({ script: { turns: [{ text: 'Hi' }] } });
  });

  it('goes back to the first script after a question, and is not saved by that', async () => {
    await client().save({ kind: 'scripted', id: 'scripted', label: 'Mine', script: { turns: [{ text: 'a' }] } });
    const pane = await open(/Mine/);
    await button(pane, 'Reset the script').trigger('click');
    await flushPromises();
    const dialog = document.querySelector('[role="alertdialog"]')!;
    [...dialog.querySelectorAll('button')].find((one) => one.textContent === 'Reset the script')!.click();
    await until(() => area(pane).element.value.includes('get_time'));
    expect((await client().list()).models[0]).toMatchObject({ script: { turns: [{ text: 'a' }] } });
  });
});
