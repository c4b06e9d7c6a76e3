import fc from 'fast-check';
import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import Composer from '../../../../renderer/features/devices/composer/DeviceComposer.vue';
import { readBytes } from '../../../../renderer/features/devices/composer/bytesText.ts';
import { newFrameDraft } from '../../../../renderer/features/devices/composer/frameDraft.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { checkText } from '../../../../renderer/ui/format/checkText.ts';
import { templates, type TemplateId } from '../../../../renderer/features/devices/composer/templates.ts';
import { connectScripted, type ScriptedDevice } from '../../../core/features/devices/support/scriptedDevice.ts';
import { giveLayout } from '../../layout.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';
import { button, choose, dialog, press, until } from './acting.ts';

const built = (id: TemplateId, values: Record<string, string> = {}): unknown => {
  const template = templates.find((one) => one.id === id)!;
  const initial = Object.fromEntries(template.fields.map((field) => [field.name, field.initial]));
  return JSON.parse(template.build({ ...initial, ...values }, 1_000_001));
};

describe('templates', () => {
  it('are the frames that the firmware knows (docs/protocols/xiaozhi.md#messages)', () => {
    expect(built('tts-start')).toEqual({ type: 'tts', state: 'start' });
    expect(built('tts-sentence', { text: 'a "b"\n' })).toEqual({
      type: 'tts',
      state: 'sentence_start',
      text: 'a "b"\n',
    });
    expect(built('tts-stop')).toEqual({ type: 'tts', state: 'stop' });
    expect(built('stt', { text: 'x' })).toEqual({ type: 'stt', text: 'x' });
    expect(built('llm', { text: 'x' })).toEqual({ type: 'llm', emotion: 'happy', text: 'x' });
    expect(built('reboot')).toEqual({ type: 'system', command: 'reboot' });
    // All three have to be texts, or the firmware passes over the alert.
    expect(Object.values(built('alert') as object).every((value) => typeof value === 'string')).toBe(true);
    expect(built('custom', { payload: '{"n":1}' })).toEqual({ type: 'custom', payload: { n: 1 } });
  });

  it('of a request have the id that was given, and parameters digit by digit', () => {
    const template = templates.find(({ id }) => id === 'mcp')!;
    const text = template.build({ method: 'tools/call', params: '{"n":9007199254740993}' }, 1_000_001);
    expect(text).toContain('"id":1000001,');
    expect(text).toContain('9007199254740993');
    expect(JSON.parse(template.build({ method: 'ping', params: '' }, 7))).toEqual({
      type: 'mcp',
      payload: { jsonrpc: '2.0', id: 7, method: 'ping' },
    });
  });
});

describe('readBytes', () => {
  it('means what was written, in both notations', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        const expected = { base64: buffer.toString('base64'), bytes: bytes.length };
        const spaced = buffer.toString('hex').replaceAll(/../g, '$& ');
        expect(readBytes(spaced, 'hex')).toEqual(expected);
        expect(readBytes(buffer.toString('base64'), 'base64')).toEqual(expected);
        expect(readBytes(buffer.toString('base64url'), 'base64')).toEqual(expected);
      }),
    );
  });

  it('accepts the usual notations of hex and refuses other text', () => {
    expect(readBytes('0x00, 0x01:ff', 'hex')).toEqual({ base64: 'AAH/', bytes: 3 });
    expect(readBytes('0', 'hex')).toBeUndefined();
    expect(readBytes('zz', 'hex')).toBeUndefined();
    expect(readBytes('A', 'base64')).toBeUndefined();
    expect(readBytes('A?==', 'base64')).toBeUndefined();
  });
});

describe('checkText', () => {
  it('tells a message from JSON, and JSON from anything else', () => {
    expect(checkText(' ')).toEqual({ kind: 'empty' });
    expect(checkText('{"type":"stt"}')).toEqual({ kind: 'json' });
    expect(checkText('{"type":1}')).toEqual({ kind: 'untyped' });
    expect(checkText('[]')).toEqual({ kind: 'untyped' });
    expect(checkText('{"type":')).toMatchObject({ kind: 'none' });
    expect(checkText(`{"type":"a","it's":1,"it's":2}`)).toEqual({ kind: 'repeated', names: ["it's"] });
    const twice = checkText('{"type":"a","type":"b","name":1,"name":2,"name":3,"id":1,"id":1}');
    expect(twice).toEqual({ kind: 'repeated', names: ['type', 'name'] });
    const many = Array.from({ length: 30 }, (_, at) => `"n${at}":1,"n${at}":2`);
    expect(checkText(`{${many.join()}}`)).toMatchObject({ kind: 'repeated', names: { length: 10 } });
  });
});

describe('the composer', () => {
  let window: TestWindow;
  let undoLayout: () => void;
  let device: ScriptedDevice;
  let composer: VueWrapper;
  beforeEach(async () => {
    undoLayout = giveLayout();
    window = await openWindow();
    device = await connectScripted(window.workbench.info().device.webSocketUrl);
    device.hello();
    const info = await until(async () =>
      (await window.connection.client.devices.list()).find(({ state }) => state === 'ready'),
    );
    const draft = newFrameDraft();
    composer = window.mount(Composer, { device: info, connected: true, draft, nextId: () => 1_000_001 });
  });
  afterEach(async () => {
    device.socket.terminate();
    await window.close();
    undoLayout();
    expect(window.errors).toEqual([]);
  });

  const area = () => composer.get<HTMLTextAreaElement>('textarea');
  const template = async (label: string): Promise<void> => {
    const trigger = composer.get<HTMLElement>('[role="combobox"]').element;
    trigger.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    const option = await until(() =>
      [...document.querySelectorAll<HTMLElement>('[role="option"]')].find((one) => one.textContent?.includes(label)),
    );
    option.focus();
    option.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await until(() => document.querySelector('[role="option"]') === null);
  };

  it('writes the frame as the blanks are filled, and sends it to the byte', async () => {
    await composer.get('.template-fields input').setValue('晚安');
    expect(area().element.value).toBe('{"type":"tts","state":"sentence_start","text":"晚安"}');
    await press(button(composer, 'Send'));
    await device.frame((frame) => frame.type === 'tts');
    expect(device.raw.at(-1)?.text).toBe(area().element.value);
    await until(() => composer.text().includes('Sent at'));
    setLanguage('zh');
    await until(() => composer.text().includes('已于'));
    setLanguage('en');
    await until(() => composer.text().includes('Sent at'));
    await press(button(composer, 'Show'));
    expect(composer.emitted('show')).toHaveLength(1);
  });

  it('sends what is not valid JSON too, and says so', async () => {
    await area().setValue('{"type":"tts", oops');
    expect(composer.text()).toContain('Not valid JSON: Line 1, column 16: a key has no quotes.');
    await area().setValue('{"type":"tts",');
    expect(composer.get('.outcome').text()).toContain('Not valid JSON: ends at character 14. It will be sent as text.');
    await area().setValue('{"type":"tts", oops');
    await press(button(composer, 'Send'));
    await until(() => device.raw.at(-1)?.text === '{"type":"tts", oops');
  });

  it('leaves its template once the frame is written by hand, and takes it again when it is chosen', async () => {
    await area().setValue('{"type":"mcp"}');
    expect(composer.find('.template-fields').exists()).toBe(false);
    expect(composer.get('[role="combobox"]').text()).toBe('Plain text');
    expect(area().element.value).toBe('{"type":"mcp"}');
    await template('tts: a sentence');
    expect(area().element.value).toContain('sentence_start');
    expect(composer.find('.template-fields').exists()).toBe(true);
  });

  it('asks before it restarts a device, and sends only after a yes', async () => {
    await template('system: reboot');
    await press(button(composer, 'Send'));
    const asking = await dialog('Send this to');
    expect(asking.textContent).toMatch(/[Rr]estart/);
    [...asking.querySelectorAll('button')].find((one) => one.textContent?.includes('Cancel'))?.click();
    await until(() => document.querySelector('[role="alertdialog"]') === null);
    expect(device.received.some(({ type }) => type === 'system')).toBe(false);
    await press(button(composer, 'Send'));
    const again = await dialog('Send this to');
    [...again.querySelectorAll('button')].find((one) => one.textContent?.includes('Send'))?.click();
    await device.frame((frame) => frame.type === 'system');
  });

  it('sends bytes, and refuses invalid notation', async () => {
    await template('Bytes');
    await area().setValue('00 01 f');
    expect(button(composer, 'Send').getAttribute('aria-disabled')).toBe('true');
    await area().setValue('00 01 ff');
    expect(composer.text()).toContain('3 B');
    await press(button(composer, 'Send'));
    await until(() => device.raw.at(-1)?.isBinary === true);
    expect(device.raw.at(-1)?.text).toBe('0001ff');
  });

  it('keeps what was sent, to be sent again', async () => {
    await area().setValue('{"type":"stt","text":"first"}');
    await press(button(composer, 'Send'));
    await device.frame((frame) => frame['text'] === 'first');
    await area().setValue('{"type":"stt","text":"second"}');
    await press(button(composer, 'Send'));
    await device.frame((frame) => frame['text'] === 'second');
    await until(() => composer.text().includes('Sent at'));
    await choose(button(composer, 'Recently sent'), 'first');
    await until(() => area().element.value === '{"type":"stt","text":"first"}');
  });

  it('of a device that left sends nothing, and says why', async () => {
    await composer.setProps({ connected: false });
    expect(button(composer, 'Send').getAttribute('aria-disabled')).toBe('true');
    expect(composer.get('.outcome').text()).toContain('The device is not connected');
  });

  it('begins with a sentence in the language of the window', () => {
    expect(composer.get('textarea').element.value).toContain('"text":"Hello, Toolwire"');
  });
});
