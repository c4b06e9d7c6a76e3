import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { setLanguage } from '../../../../renderer/i18n/index.ts';
import GatewayPane from '../../../../renderer/features/gateway/GatewayPane.vue';
import { clientTemplates } from '../../../../renderer/features/gateway/send/templates.ts';
import WaitingQueue from '../../../../renderer/app/waiting/WaitingQueue.vue';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { settingDefinitions } from '../../../../src-core/features/gateway/settings.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let pane: VueWrapper;
const until = <T>(holds: () => T | Promise<T>) => vi.waitUntil(holds);

beforeEach(() => {
  for (const { variable } of Object.values(settingDefinitions)) if (variable) vi.stubEnv(variable, undefined);
});
windowForEachTest((opened) => (window = opened), { width: 1_200, height: 800 });
beforeEach(async () => {
  await window.connection.client.gateway.configure({ settings: { port: 0 } });
  pane = window.mount(GatewayPane);
  await until(() => pane.find('.master-list').exists());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const api = () => window.connection.client.gateway;
const rows = (): string[] => pane.findAll('.log-rows [role="option"]').map((row) => row.text());
const cards = () => pane.findAll('.list-row');
function press(word: string, within: ParentNode = document.body): void {
  const found = [...within.querySelectorAll<HTMLElement>('button')].find(
    (each) => each.textContent?.includes(word) || each.getAttribute('aria-label')?.includes(word),
  );
  if (!found) throw new Error(`No button “${word}” in: ${document.body.textContent ?? ''}`);
  found.click();
}
async function tryIt(): Promise<void> {
  press('Try it with a test client');
  await until(() => rows().some((row) => row.includes('llm_response')));
  await flushPromises();
}
async function send(text: string): Promise<void> {
  if (!pane.find('.send-panel').exists()) press('Send', pane.get('.gateway-tabs').element);
  await until(() => pane.find('.send-panel').exists());
  await pane.get('.send-panel textarea').setValue(text);
  press('Send', pane.get('.composer > .sub').element);
}

describe('the gateway’s pane', () => {
  it('is off at first, and says what switching on does', async () => {
    expect(pane.text()).toContain('The gateway is off');
    press('Turn it on');
    await until(() => pane.text().includes('No client has connected yet'));
    expect(pane.get('.address-line code').text()).toMatch(/^ws:\/\/127\.0\.0\.1:\d+/);
    await pane.get('[role="switch"]').trigger('click');
    await until(() => pane.text().includes('The gateway is off'));
    expect((await api().state()).enabled).toBe(false);
  });

  it('shows a refused page, and allows it', async () => {
    await api().setEnabled({ enabled: true });
    const { urls } = await api().state();
    const attempt = async (origin = 'http://localhost:5173'): Promise<string> => {
      const socket = new WebSocket(urls[0]!, { origin });
      onTestFinished(() => socket.terminate());
      return Promise.race([
        once(socket, 'open').then(() => 'open'),
        once(socket, 'unexpected-response').then(() => 'refused'),
        once(socket, 'error').then(() => 'error'),
      ]);
    };
    expect(await attempt()).not.toBe('open');
    await until(() => pane.text().includes('A page of http://localhost:5173 tried to connect.'));
    press('Allow this page');
    await until(() => !pane.text().includes('tried to connect'));
    expect(await attempt()).toBe('open');
    expect(await attempt('http://other.test')).not.toBe('open');
    await until(() => pane.text().includes('A page of http://other.test'));
    press('Ignore');
    await until(() => !pane.text().includes('http://other.test'));
    expect(await attempt('http://other.test')).not.toBe('open');
  });

  it('shows a whole exchange with the test client, from the switch to the answer', async () => {
    await tryIt();
    expect(rows().join('\n')).toMatch(/register_tools[^]*text_input[^]*tool_callback[^]*llm_response/);
    // A callback and its result are one row.
    expect(rows().some((row) => row.startsWith('tool_result'))).toBe(false);
    const card = cards().find((each) => each.text().includes('Client 1'));
    expect(card?.text()).toMatch(/Test client.*1 tool/);
    // The sessions are fetched apart from the log.
    await until(() => cards().some((each) => each.text().includes('2 messages')));
    // Again is another question, not another client.
    press('Try it with a test client');
    await until(() => rows().filter((row) => row.includes('llm_response')).length === 2);
    const ids = pane
      .findAll('.log-rows [role="option"]')
      .filter((row) => row.text().includes('tool_callback'))
      .map((row) => row.get('.id').text());
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    expect(await api().connections()).toHaveLength(1);
  });

  it('adds the tools of the test client until it ends', async () => {
    const tools = async () =>
      (await window.connection.client.tools.changes({})).tools.filter(({ source }) => source.kind === 'gateway');
    expect(await tools()).toEqual([]);
    await tryIt();
    expect(await tools()).not.toEqual([]);
    await api().closeTestClient();
    await until(() => pane.get('.address-line [role="status"]').text() === 'Off');
    await vi.waitUntil(async () => (await tools()).length === 0);
  });

  it('shows a turn whole: question, figures, calls, prompt and tools as sent', async () => {
    await tryIt();
    await until(() => pane.findAll('.log-rows [role="option"]').some((row) => /turn.*Answered/.test(row.text())));
    await pane
      .findAll('.log-rows [role="option"]')
      .find((row) => /turn.*Answered/.test(row.text()))!
      .trigger('click');
    await until(() => pane.find('.turn-calls').exists());
    expect(pane.get('.turn-head').text()).toMatch(/Question.*What time is it\?.*Answer.*Requests to the model\s*2/s);
    expect(pane.get('.turn-calls').text()).toMatch(/get_time.*Client.*\{\}.*→/s);
    expect(pane.get('.turn-calls').text()).not.toContain('waiting');
    expect(pane.get('.turn-head').text()).toContain('Scripted model');
    setLanguage('zh');
    onTestFinished(() => setLanguage('en'));
    await flushPromises();
    expect(pane.get('.turn-head').text()).toContain('脚本模型');
    setLanguage('en');
    await flushPromises();
    expect(pane.get('.turn-step').text()).toMatch(/Tools sent\s*11.*System.*User/s);
  });

  it('shows the turn that runs with its prompt and its calls, and then its end', async () => {
    await tryIt();
    const silent = { name: 'get_time', description: '', parameters: {}, answer: { kind: 'silent' as const } };
    await api().setTestTools({ tools: [silent] });
    await pane.findAll('[role="tab"]')[1]!.trigger('click');
    await until(() => /Turn\s*Answered/.test(pane.text()));
    await send('{"type":"text_input","text":"What time is it now?"}');
    await until(() => /Turn\s*Running/.test(pane.text()) && pane.find('.turn-calls').exists());
    expect(pane.get('.turn-head').text()).toContain('What time is it now?');
    expect(pane.get('.turn-step').text()).toMatch(/get_time.*System.*User/s);
    // The call waits for the client: it has not failed.
    await until(() => /waiting for the result since \d\d:\d\d:\d\d/.test(pane.get('.turn-calls').text()));
    expect(pane.get('.turn-calls').find('.error').exists()).toBe(false);
    expect(pane.get('.turn-head').text()).toMatch(/Duration\s*\d+/);
    const [{ id } = { id: '' }] = await api().sessions();
    await api().endSession({ id });
    await until(() => /Turn\s*SESSION_ERROR/.test(pane.text()));
  });

  it('says in the log that a call of the model timed out, and marks texts that it shows in part', async () => {
    await tryIt();
    const silent = { name: 'get_time', description: '', parameters: {}, answer: { kind: 'silent' as const } };
    await api().setTestTools({ tools: [silent] });
    await api().configure({ settings: { clientToolTimeout: 1 } });
    await send(JSON.stringify({ type: 'text_input', text: `again ${'\n'.repeat(600)} and again` }));
    await until(() => rows().some((row) => row.includes('tool_callback') && row.includes('timed out')));
    expect(rows().filter((row) => row.includes('tool_callback') && row.includes('…'))).toEqual([]);
    expect(rows().filter((row) => row.includes('text_input') && row.includes('again'))).toEqual([
      expect.stringContaining('again…'),
    ]);
    // The prompt of the turn, folded to a line each.
    await pane.findAll('[role="tab"]')[1]!.trigger('click');
    await until(() => pane.findAll('.prompt-line').length > 1);
    const folded = pane.findAll('.prompt-line .cut.grow').map((line) => line.text());
    expect(folded.length).toBeGreaterThan(0);
    expect(folded.filter((text) => text.length >= 160 && !text.endsWith('…'))).toEqual([]);
  });

  it('leaves the room to a turn until a message by hand is wanted', async () => {
    await tryIt();
    expect(pane.find('.send-panel').exists()).toBe(false);
    press('Send', pane.get('.gateway-tabs').element);
    await until(() => pane.find('.send-panel').exists());
  });

  it('shows an imported log beside its own', async () => {
    await tryIt();
    await until(() => rows().some((row) => /turn.*Answered/.test(row)));
    const { client } = window.connection;
    const { text } = await client.captures.exportPart({ shared: 'gateway' });
    const { captureId } = await client.captures.importPart({ name: 'yesterday.jsonl', text });
    await until(() => cards().some((each) => each.text().includes('yesterday.jsonl')));
    await cards()
      .find((each) => each.text().includes('yesterday.jsonl'))!
      .trigger('click');
    await until(() => rows().some((row) => row.includes('llm_response')));
    expect(pane.get('.detail-head').text()).toMatch(/yesterday\.jsonl.*1 call/s);
    await client.captures.remove({ captureId });
    await until(() => !cards().some((each) => each.text().includes('yesterday.jsonl')));
  });

  it('lists the tools of a client and opens one in the Executor', async () => {
    await tryIt();
    await pane.findAll('[role="tab"]')[2]!.trigger('click');
    await until(() => pane.find('.client-tool').exists());
    expect(pane.get('.client-tool').text()).toMatch(/get_time.*on the client’s clock.*answers with.*\d\d:\d\d:\d\d/s);
    press('Open in Executor');
    expect(window.use(() => useNavigation()).pane).toBe('executor');
    expect(window.use(() => useExecutor()).toolName).toBe('gateway-client-1_get_time');
  });

  it('registers another tool of the test client, and says why one is not taken', async () => {
    await tryIt();
    await pane.findAll('[role="tab"]')[2]!.trigger('click');
    press('Add a tool');
    const dialog = await until(() => document.querySelector('[role="dialog"]'));
    const [name, description] = dialog.querySelectorAll('input');
    const write = async (field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> => {
      field.value = text;
      field.dispatchEvent(new Event('input'));
      await flushPromises();
    };
    const [parameters] = dialog.querySelectorAll('textarea');
    await write(parameters!, '[');
    expect(dialog.textContent).toContain('This is not valid JSON');
    await write(parameters!, '{"type":"object"}');
    await write(name!, 'get_current_time');
    await write(description!, 'Taken by the gateway itself.');
    press('Register', dialog);
    await until(() => dialog.textContent?.includes('Not registered.'));
    await write(name!, 'lamp.set');
    press('Register', dialog);
    await until(() => document.querySelector('[role="dialog"]') === null);
    await until(() => pane.findAll('.client-tool').length === 2);
  });

  it('sends every message of a client from its template, and the gateway takes each', async () => {
    await tryIt();
    const { connections } = api();
    for (const { id, build } of clientTemplates) {
      if (id === 'raw' || id === 'tool_result' || id === 'end_session') continue;
      const [connection] = await connections();
      await send(build({ sessionId: connection?.sessionId ?? '', callId: '', timestamp: '2026-11-22T12:41:07Z' }));
    }
    await until(() => rows().some((row) => row.includes('pong')));
    await until(() => rows().filter((row) => row.includes('llm_response')).length === 2);
    expect(rows().filter((row) => /INVALID_MESSAGE|UNKNOWN_MESSAGE|SESSION_ERROR/.test(row))).toEqual([]);
    await send('{"type":"end_session"}');
    await until(async () => (await api().connections())[0]?.sessionId === undefined);
  });

  it('answers a call by hand that the test client leaves open', async () => {
    await tryIt();
    const silent = { name: 'get_time', description: '', parameters: {}, answer: { kind: 'silent' as const } };
    await api().setTestTools({ tools: [silent] });
    await send('{"type":"text_input","text":"again"}');
    await until(() => rows().some((row) => row.includes('tool_callback') && row.includes('…')));
    const select = pane.findAllComponents({ name: 'SelectField' }).find((each) => each.text().includes('text_input'))!;
    select.vm.$emit('update:modelValue', 'tool_result');
    await flushPromises();
    const area = pane.get('.send-panel textarea').element as HTMLTextAreaElement;
    expect(JSON.parse(area.value)).toMatchObject({
      type: 'tool_result',
      call_id: expect.stringMatching(/./) as string,
    });
    press('Send', pane.get('.composer > .sub').element);
    await until(() => rows().filter((row) => row.includes('llm_response')).length === 2);
  });

  it('says something to the client as if it were the gateway', async () => {
    await tryIt();
    press('Send', pane.get('.gateway-tabs').element);
    await flushPromises();
    const side = pane
      .findAllComponents({ name: 'SegmentedControl' })
      .find((each) => each.text().includes('as the gateway'))!;
    side.vm.$emit('update:modelValue', 'server');
    await flushPromises();
    const area = pane.get('.send-panel textarea').element as HTMLTextAreaElement;
    await until(() => area.value.includes('llm_response'));
    await send('{"type":"llm_response","content":"said by hand","tool_calls":[],"is_final":true}');
    await until(() => rows().some((row) => row.includes('sent by hand')));
    await pane.findAll('.log-rows [role="option"]').at(-1)!.trigger('click');
    await until(() => pane.find('.frame-view').exists() && pane.get('.frame-view').text().includes('said by hand'));
  });

  it('keeps a client that has left, with its messages, and ends a session after a question', async () => {
    await api().setEnabled({ enabled: true });
    await until(() => pane.get('.address-line [role="status"]').text() === 'Listening');
    await tryIt();
    press('Disconnect');
    await until(() => cards().some((each) => each.find('.gone').exists()));
    expect(rows().some((row) => row.includes('llm_response'))).toBe(true);
    expect(pane.find('.send-panel').exists()).toBe(false);
    await until(() => cards().at(-1)?.text().includes('no client connected'));
    await cards().at(-1)!.trigger('click');
    await until(() => pane.findAll('.session-message').length === 2);
    press('End the session');
    const question = await until(() => document.querySelector('[role="alertdialog"]'));
    press('End the session', question);
    await until(async () => (await api().sessions()).length === 0);
    await until(() => pane.text().includes('No sessions yet.'));
  });
});

describe('trouble', () => {
  it('says that another program uses the port, and takes the next one', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void squatter.close());
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    await api().configure({ settings: { port } });
    press('Turn it on');
    const banner = await until(() => pane.find('.banner.inset').exists() && pane.get('.banner.inset'));
    expect(banner.text()).toMatch(
      new RegExp(`cannot listen.*Port ${port} on 127.0.0.1 is used.*choose another port`, 's'),
    );
    expect(pane.text()).not.toContain('The gateway is off');
    press('Use port');
    await until(() => pane.find('.banner.inset').exists() === false);
    expect((await api().state()).listening).toBe(true);
  });

  it('warns while other machines can reach it, and closes the door', async () => {
    await api().configure({ settings: { host: '0.0.0.0' } });
    await until(() => pane.text().includes('Other machines can reach the gateway'));
    press('This machine only');
    await until(() => !pane.text().includes('Other machines can reach the gateway'));
    expect((await api().state()).host).toBe('127.0.0.1');
  });

  it('asks before a call of the model if every call asks, in whichever pane the user is', async () => {
    const { toolCallConfig } = await window.connection.client.settings.get();
    await window.connection.client.settings.set({ toolCallConfig: { ...toolCallConfig, requireConfirmation: true } });
    const shell = window.mount(WaitingQueue);
    expect(shell.text()).toBe('');
    press('Try it with a test client');
    await until(() => shell.find('.call-question').exists());
    expect(shell.text()).toMatch(/^1 waiting for you/);
    // The name of the client may come after the question.
    await until(() =>
      /get_time asks before it runs.*Client 1.*Settings require approval for every call/s.test(
        shell.get('.call-question').text(),
      ),
    );
    expect(shell.element.contains(document.activeElement)).toBe(false);
    // The button closes the list, and opens it with the focus.
    await shell.get('button').trigger('click');
    expect(shell.find('.call-question').exists()).toBe(false);
    await shell.get('button').trigger('click');
    await until(() => document.activeElement?.contains(shell.get('.call-question').element));
    // While its arguments are edited, it waits longer.
    const [before] = (await api().state()).questions;
    press('Edit arguments');
    await until(async () => (await api().state()).questions[0]!.expiresAt > before!.expiresAt);
    await until(() => shell.find('.argument-editor').exists());
    press('Back', shell.element);
    await flushPromises();
    press('Run it');
    await until(() => rows().some((row) => row.includes('llm_response')));
    await until(() => !shell.find('.call-question').exists());
    expect(shell.text()).toBe('');
  });
});

describe('the settings', () => {
  it('say where each comes from, are set, refused with a reason, and taken back', async () => {
    press('Gateway settings');
    const drawer = await until(() => document.querySelector('.drawer'));
    const line = (variable: string) =>
      [...drawer.querySelectorAll('.gateway-setting')].find((each) => each.textContent?.includes(variable))!;
    const write = async (variable: string, text: string): Promise<void> => {
      const field = line(variable).querySelector('input')!;
      field.value = text;
      field.dispatchEvent(new Event('input'));
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
      await flushPromises();
    };
    expect(line('CLOUD_MAX_CONNECTIONS').textContent).toContain('Default');
    await write('CLOUD_MAX_CONNECTIONS', '7');
    await until(() => line('CLOUD_MAX_CONNECTIONS').textContent?.includes('Set here'));
    await write('CLOUD_MAX_CONNECTIONS', 'many');
    await until(() => line('CLOUD_MAX_CONNECTIONS').textContent?.includes('Must be a number'));
    await write('CLOUD_MAX_CONNECTIONS', '0');
    await until(() => line('CLOUD_MAX_CONNECTIONS').textContent?.includes('from 1 to 2000'));
    press('Reset to 100', line('CLOUD_MAX_CONNECTIONS'));
    await until(() => line('CLOUD_MAX_CONNECTIONS').textContent?.includes('Default'));
    expect((line('CLOUD_MAX_CONNECTIONS').querySelector('input') as HTMLInputElement).value).toBe('100');
  });
});
