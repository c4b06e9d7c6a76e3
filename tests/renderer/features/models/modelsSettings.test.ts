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

const until = (check: () => boolean | Promise<boolean>) => vi.waitUntil(check);

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
    const added = async () => (await client().list()).models[1];
    await until(async () => (await added())?.kind === 'openai-compatible' && 'temperature' in (await added())!);
    expect(await added()).toMatchObject({ temperature: 0.5, protocol: 'native' });
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
  const saved = async () => (await client().list()).models[1];

  it('saves a field when it loses the focus, and shows there what the engine refused', async () => {
    await saveReal();
    const pane = await open(/Real/);
    field(pane, 'Model ID').element.focus();
    await field(pane, 'Model ID').setValue('b');
    await flushPromises();
    expect(await saved()).toMatchObject({ model: 'a' });
    field(pane, 'Base URL').element.focus();
    await until(async () => ((await saved()) as { model?: string }).model === 'b');
    await field(pane, 'Base URL').setValue('nowhere');
    field(pane, 'Temperature').element.focus();
    await until(() => field(pane, 'Base URL').attributes('aria-invalid') === 'true');
    expect(pane.find('[role="alert"]').text()).toContain('nowhere');
    // The user goes on elsewhere, until a test needs the field.
    expect(document.activeElement).toBe(field(pane, 'Temperature').element);
    await button(pane, 'Test').trigger('click');
    await until(() => document.activeElement === field(pane, 'Base URL').element);
    // What was refused is no longer what is written.
    await field(pane, 'Base URL').setValue(server.baseUrl);
    expect(field(pane, 'Base URL').attributes('aria-invalid')).toBeUndefined();
    field(pane, 'Temperature').element.focus();
    await until(async () => ((await saved()) as { baseUrl?: string }).baseUrl === server.baseUrl);
  });

  it('saves what is written when it is closed, and says if that is not valid', async () => {
    await saveReal();
    const pane = await open(/Real/);
    const close = () =>
      pane
        .findAll('.model-line')
        .find((line) => line.text().includes('Real'))!
        .trigger('click');
    field(pane, 'Model ID').element.focus();
    await field(pane, 'Model ID').setValue('b');
    await close();
    await until(async () => ((await saved()) as { model?: string }).model === 'b');
    await close();
    field(pane, 'Base URL').element.focus();
    await field(pane, 'Base URL').setValue('nowhere');
    await close();
    const toasts = window.use(() => useToasts());
    await until(() => toasts.list.some(({ title }) => title === 'Changes to “Real” are not valid and not saved'));
    expect(await saved()).toMatchObject({ model: 'b', baseUrl: server.baseUrl });
  });

  it('says before an address of another server is saved that the key is removed', async () => {
    const id = await saveReal();
    await client().setKey({ id, key });
    const pane = await open(/Real/);
    await until(() => pane.text().includes('Key is set.'));
    field(pane, 'Base URL').element.focus();
    await field(pane, 'Base URL').setValue('http://127.0.0.1:1/v1');
    expect(pane.text()).toContain(`The key belongs to ${new URL(server.baseUrl).host}. It is removed when`);
    field(pane, 'Temperature').element.focus();
    await until(() => pane.text().includes('This server needs a key.'));
    expect(pane.text()).not.toContain('The key belongs to');
  });

  it('keeps numbers in their range before anything is sent', async () => {
    await saveReal();
    const pane = await open(/Real/);
    await field(pane, 'Temperature').setValue('3');
    expect(pane.text()).toContain('A number from 0 to 2.');
    expect(button(pane, 'Test').attributes('aria-disabled')).toBe('true');
    await field(pane, 'Temperature').setValue('');
    await field(pane, 'Max tokens').setValue('1.5');
    expect(pane.text()).toContain('A whole number from 1');
    await flushPromises();
    expect(await saved()).not.toHaveProperty('maxTokens');
  });

  it('shows what another window changed, and keeps what is being typed here', async () => {
    const id = await saveReal();
    const pane = await open(/Real/);
    field(pane, 'Name').element.focus();
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
    input.element.focus();
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
    field(pane, 'Key').element.focus();
    await field(pane, 'Key').setValue('with a space');
    await button(pane, 'Test').trigger('click');
    await until(() => pane.find('.model-key [role="alert"]').exists());
    await until(() => pane.findAll('button').some((one) => one.text() === 'Test'));
    expect(pane.find('.connection-steps').exists()).toBe(false);
    await field(pane, 'Key').setValue(key);
    const reveal = vi.spyOn(Element.prototype, 'scrollIntoView');
    await button(pane, 'Test').trigger('click');
    await until(() => pane.findAll('.connection-steps .state.ok').length === 4);
    expect(reveal.mock.contexts).toContain(pane.get('.connection-steps').element.parentElement);
    reveal.mockRestore();
    expect(pane.text()).toContain('Key is set.');
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

  const saved = async () => (await client().list()).models[0]!;

  it('is checked while it is written and saved once it can be used', async () => {
    const pane = await open(/Scripted model/);
    await until(() => pane.text().includes('The script is valid.'));
    await area(pane).setValue('{"turns":[{"text":5}]}');
    await until(() => pane.find('.script-problems li').exists());
    expect(pane.get('.script-problems').text()).toContain('turns[0].text');
    expect(JSON.stringify(await saved())).not.toContain('"text":5');
    await pane.get('.script-problems .words').trigger('click');
    const { selectionStart, selectionEnd, value } = area(pane).element;
    expect(value.slice(selectionStart, selectionEnd)).toBe('5');

    await area(pane).setValue('{"turns":[{"text":');
    await until(() => /Line 1, column \d+/.test(pane.get('.script-problems').text()));
    await area(pane).setValue('{"turns":[{"text":"Hi"}]}');
    await until(() => pane.text().includes('The script is valid.'));
    field(pane, 'Name').element.focus();
    await until(async () => JSON.stringify(await saved()).includes('"text":"Hi"'));
  });

  it('goes back to the first script after a question', async () => {
    await client().save({ kind: 'scripted', id: 'scripted', label: 'Mine', script: { turns: [{ text: 'a' }] } });
    const pane = await open(/Mine/);
    await button(pane, 'Reset the script').trigger('click');
    await flushPromises();
    const dialog = document.querySelector('[role="alertdialog"]')!;
    [...dialog.querySelectorAll('button')].find((one) => one.textContent === 'Reset the script')!.click();
    await until(async () => JSON.stringify(await saved()).includes('get_time'));
    expect(area(pane).element.value).toContain('get_time');
  });
});
