import { describe, expect, it, vi } from 'vitest';

import { exampleText } from '../../../../renderer/features/parser/examples.ts';
import { useDroppedFiles } from '../../../../renderer/window/droppedFiles.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { block, button, colon, pane, ran, runEnded, store, useParserPane, window, write } from './parserWindow.ts';

useParserPane();

describe('the Parser', () => {
  it('shows each call with what its arguments become', async () => {
    await write(`Dim it.\n${block(['tool_name', 'lamp_set'], ['level', '50'], ['maid', 'Mei'])}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    const card = pane.get('.call').text();
    for (const part of ['lamp_set', 'Lamp', 'level', '50', 'converted', 'maid', 'Mei']) expect(card).toContain(part);
    expect(pane.text()).toContain('No problems');
  });

  it('offers the nearest names for an unknown tool, with its arguments', async () => {
    await write(block(['tool_name', 'lamp_sett'], ['level', '5']));
    await vi.waitUntil(() => pane.text().includes('Did you mean'));
    expect(
      pane
        .get('.call')
        .text()
        .match(/Did you mean/g),
    ).toHaveLength(1);
    await pane.get('.refusal .link').trigger('click');
    expect(window.use(() => useSandbox()).requested?.qualifiedName).toBe('lamp_set');
    expect(window.use(() => useNavigation()).pane).toBe('executor');
  });

  it('shows the calls of a pasted text from the top, and those of an edited one where they were', async () => {
    const text = (note: string) => `${note}\n${block(['tool_name', 'lamp_set'], ['level', '5'])}\n`.repeat(40);
    const calls = () => pane.get<HTMLElement>('[aria-label="Calls"] .virtual').element;
    await write(text('First.'));
    await vi.waitUntil(() => pane.text().includes('Calls 40'));
    calls().scrollTop = 500;
    await write(`${text('First.')}More.`);
    await vi.waitUntil(() => pane.text().includes('Calls 40'));
    await vi.waitUntil(() => pane.find('.stale').exists() === false);
    expect(calls().scrollTop).toBe(500);
    await write(text('Second.'));
    await vi.waitUntil(() => calls().scrollTop === 0);
  });

  it('says how many calls and problems of a text it leaves out', async () => {
    await write(`${block(['tool_name', 'lamp_set'], ['level', '5'])}\n`.repeat(700));
    await vi.waitUntil(() => pane.text().includes('200 more calls are not shown and do not run.'));
    expect(pane.text()).toContain('199 more problems are not shown.');
    expect(pane.text()).toContain('Calls 500 of 700');
    expect(pane.text()).toContain('Problems 500 of 699');
    expect(pane.text()).toContain('200 not run');
    expect(button('Run 500 of 700 calls').getAttribute('aria-disabled')).toBeNull();
    expect(pane.text()).toMatch(/Highlighting stops at line \d+\./);
  });

  it('counts the parts of a text that are not run, also those without a card', async () => {
    await write(`${colon}\n`.repeat(700));
    await vi.waitUntil(() => pane.text().includes('Problems 500 of 700'));
    expect(pane.text()).toContain('Calls 500 of 700');
    expect(pane.text()).toContain('700 not run');
  });

  it('shows what is not run as cards among the calls, each with its reasons and fixes', async () => {
    const nameless = block(['level', '5']);
    await write(`${colon}\n${block(['tool_name', 'lamp_off'])}\n${nameless}`);
    await vi.waitUntil(() => pane.findAll('.call-frame').length === 3);
    expect(pane.findAll('.call-frame').map((card) => card.classes().includes('refused'))).toEqual([true, false, true]);
    // One after the other, each with the bar of its lines in the editor.
    expect(pane.findAll('.call-frame header > :first-child').map((number) => number.text())).toEqual(['1', '2', '3']);
    expect(pane.findAll('.call-frame').map((card) => card.classes('runs'))).toEqual([false, true, false]);
    const [first, , last] = pane.findAll('.call-frame');
    expect(first!.attributes('aria-label')).toBe('Not run: lamp_set');
    expect(first!.text()).toContain('Malformed field');
    expect(last!.attributes('aria-label')).toBe('Not run: unnamed call');
    expect(last!.text()).toContain('No tool name');
    expect(pane.text()).toContain('Calls 3');
    expect(pane.text()).toContain('2 not run');
    await first!.get('.link').trigger('click');
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    expect(store().text).toContain('tool_name:「始」lamp_set「末」');
  });

  it('shows five reasons on a card, and how many more there are', async () => {
    await write(block(['tool_name', 'lamp_set'], ...Array.from({ length: 8 }, (): [string, string] => ['级别', '1'])));
    await vi.waitUntil(() => pane.findAll('.refused').length === 1);
    expect(pane.findAll('.refused .what')).toHaveLength(5);
    expect(pane.get('.refused').text()).toContain('3 more under Problems.');
  });

  it('shows hidden characters that a fix removes by their codes', async () => {
    await write(block(['tool_name', 'lamp_set'], ['le\u200bvel', '1']));
    await vi.waitUntil(() => pane.findAll('.refused .fix .line').length === 2);
    expect(pane.findAll('.refused .fix .line').map((line) => line.text())).toEqual([
      '− le\\u200bvel:「始」1「末」',
      '+ level:「始」1「末」',
    ]);
  });

  it('does not say that a text has no call if it has one that is not run', async () => {
    await write(colon);
    await vi.waitUntil(() => pane.findAll('.refused').length === 1);
    expect(pane.text()).not.toContain('No call in this text');
    await write('No call at all. <<<[END_TOOL_REQUEST]>>>');
    await vi.waitUntil(() => pane.text().includes('No call in this text'));
  });

  it('mends the text with the fix of a problem', async () => {
    await write(colon);
    await vi.waitUntil(() => pane.findAll('.problem').length === 1);
    await pane.get('.problem .link').trigger('click');
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    expect(store().text).toContain('tool_name:「始」lamp_set「末」');
    expect(pane.findAll('.problem')).toHaveLength(0);
  });

  it('says of a call that does not run as it is written that it is not run, with the fix', async () => {
    await write(`${block(['tool_name', 'lamp_sett'])}\n${block(['tool_name', 'lamp_set'])}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    expect(pane.findAll('.call header .tag').map((tag) => tag.text())).toEqual(['Not run', 'Not run']);
    expect(pane.get('.sub .not-run').text()).toBe('2 not run');
    expect(pane.get('.call .written').text()).toContain('lamp_set「末」');
    await pane.get('.call .remedy .link').trigger('click');
    await vi.waitUntil(() => !store().text.includes('lamp_sett'));
  });

  it('runs one call with its converted arguments and shows what came of it', async () => {
    await write(block(['tool_name', 'lamp_set'], ['level', '50']));
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    await pane.get('.call header .btn').trigger('click');
    await vi.waitUntil(() => pane.get('.call').text().includes('OK'));
    expect(ran).toEqual([{ level: 50 }]);
    const [call] = await window.connection.client.calls.history({ limit: 1 });
    expect(call).toMatchObject({ origin: 'parser', qualifiedName: 'lamp_set' });
  });

  it('runs all calls as a host would and shows the text that goes back', async () => {
    await write(
      `${block(['tool_name', 'lamp_set'], ['level', '1'])}\n${block(['tool_name', 'lamp_set'], ['level', '500'])}`,
    );
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    button('Run 1 of 2 calls').click();
    await vi.waitUntil(() => pane.find('.cycle .tag').exists());
    expect(pane.findAll('.cycle .tag').map((tag) => tag.text())).toEqual(['1 succeeded', '1 not run']);
    expect(ran).toEqual([{ level: 1 }]);
    expect(pane.text()).toContain('TOOL_RESULT');
    await write('nothing');
    await vi.waitUntil(() => !pane.find('.cycle .tag').exists());
  });

  it('shows the result of a run on a card only while its arguments are the same', async () => {
    const one = block(['tool_name', 'lamp_set'], ['level', '1']);
    await write(`${one}\n${block(['tool_name', 'lamp_set'], ['level', '2'])}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    await pane.findAll('.call')[1]!.get('header .btn').trigger('click');
    await vi.waitUntil(() => pane.findAll('.call')[1]!.text().includes('OK'));
    await runEnded();
    expect(pane.findAll('.call')[0]!.text()).not.toContain('OK');
    await write(`${one}\n${block(['tool_name', 'lamp_set'], ['level', '3'])}`);
    // A duration may have the same digit.
    await vi.waitUntil(() => !pane.findAll('.call')[1]!.text().includes('OK'));
    expect(pane.findAll('.call')[1]!.text()).toContain('3');
    await pane.findAll('.call')[0]!.get('header .btn').trigger('click');
    await vi.waitUntil(() => pane.findAll('.call')[0]!.text().includes('OK'));
    await runEnded();
    button('Run all').click();
    await vi.waitUntil(() => pane.findAll('.call')[1]!.text().includes('OK'));
    expect(ran).toEqual([{ level: 2 }, { level: 1 }, { level: 1 }, { level: 3 }]);
  });

  it('runs no call while tool calling is off, and says why', async () => {
    const settings = window.use(() => useSettings());
    settings.change({ toolCallConfig: { ...settings.current.toolCallConfig, enabled: false } });
    await write(block(['tool_name', 'lamp_set'], ['level', '1']));
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    expect(button('Run all').getAttribute('aria-disabled')).toBe('true');
    await pane.get('.call header .btn').trigger('click');
    button('Run all').click();
    await settings.flush();
    expect(ran).toEqual([]);
  });

  it('runs nothing while the window is not connected', async () => {
    await write(block(['tool_name', 'lamp_set'], ['level', '1']));
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    const back = window.cut();
    await vi.waitUntil(() => button('Run all').getAttribute('aria-disabled') === 'true');
    button('Run all').click();
    await pane.get('.call header .btn').trigger('click');
    back();
    await vi.waitUntil(() => button('Run all').getAttribute('aria-disabled') !== 'true');
    expect(ran).toEqual([]);
  });

  it('marks the card of the problem that F8 goes to', async () => {
    const good = block(['tool_name', 'lamp_set'], ['level', '1']);
    await write(`${good}\n${block(['tool_name', 'lamp_set'], ['level', '500'])}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2 && pane.findAll('.problem').length > 0);
    button('Next problem').click();
    await vi.waitUntil(() => pane.find('.call.current').exists());
    expect(pane.get('.call.current').text()).toContain('500');
    // A selection would be replaced by the next key.
    const { selectionStart, selectionEnd } = pane.get<HTMLTextAreaElement>('textarea').element;
    const at = store().text.indexOf('500');
    expect([selectionStart, selectionEnd]).toEqual([at, at]);
  });

  it('cannot run all if no call runs as written, and says so', async () => {
    await write(block(['tool_name', 'weather_forecast']));
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    expect(button('Run 0 of 1').getAttribute('aria-disabled')).toBe('true');
    expect(window.use(() => useCommandStore()).reasonOf('parser.runAll')).toBe(
      'No call can run as written. See Problems.',
    );
    expect(button('Show in Discovery').textContent).toBeTruthy();
  });

  it('keeps its text over a reload of the window', async () => {
    await write(block(['tool_name', 'lamp_set'], ['level', '1']));
    globalThis.window.dispatchEvent(new Event('pagehide'));
    expect(sessionStorage.getItem('parser.text')).toBe(store().text);
    await write('');
    globalThis.window.dispatchEvent(new Event('pagehide'));
    expect(sessionStorage.getItem('parser.text')).toBeNull();
  });

  it('asks for each call that can do harm on its card, as Chat does', async () => {
    await write(`${block(['tool_name', 'lamp_set'], ['level', '1'])}\n${block(['tool_name', 'lamp_off'])}`);
    await vi.waitUntil(() => pane.findAll('.call').length === 2);
    expect(pane.findAll('.call').map((card) => card.text().includes('Asks first'))).toEqual([false, true]);
    button('Run all').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    expect(pane.findAll('.call')[1]!.text()).toContain('Cuts the power.');
    expect(button('Approve').classList).toContain('danger');
    expect(button('Refuse').hasAttribute('data-safe')).toBe(true);
    button('Refuse').click();
    await vi.waitUntil(() => pane.findAll('.decision form').length === 1);
    await pane.get('.decision form').trigger('submit');
    await vi.waitUntil(() => pane.text().includes('The user refused this call.'));
    await runEnded();
    expect(ran).toEqual([{ level: 1 }]);
    button('Run all').click();
    await vi.waitUntil(() => pane.findAll('.decision').length === 1);
    button('Approve').click();
    await vi.waitUntil(() => ran.length === 3);
    expect(ran).toEqual([{ level: 1 }, { level: 1 }, 'off']);
  });

  it('reads a text as another host would', async () => {
    await write(exampleText('fenced', 'en'));
    await vi.waitUntil(() => pane.findAll('.problem').length > 0);
    expect(pane.findAll('.call')).toHaveLength(0);
    expect(pane.get('.refused').classes()).toContain('warned');
    store().dialect = 'vcptoolbox';
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
    await window.use(() => useSettings()).flush();
    expect((await window.connection.client.settings.get()).dialect).toBe('vcptoolbox');
  });

  it('follows the tools: a call resolves once its tool is there', async () => {
    await write(block(['tool_name', 'later_go']));
    await vi.waitUntil(() => pane.text().includes('Unknown tool'));
    const inputSchema = { type: 'object' };
    const methods = [{ name: 'go', description: 'Goes', agentCallable: true, inputSchema, handler: () => 'gone' }];
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({
        id: 'later',
        name: 'Later',
        source: { kind: 'builtin', id: 'later', label: 'Later' },
        methods,
      }),
    );
    await vi.waitUntil(() => pane.get('.call').text().includes('Later'));
  });

  it('lists every problem that keeps a call from running, and colours nothing as fine', async () => {
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({
        id: 'door',
        name: 'Door',
        source: { kind: 'builtin', id: 'door', label: 'Door' },
        methods: [
          {
            name: 'open',
            description: 'Opens',
            agentCallable: false,
            inputSchema: {},
            handler: () => ran.push('open'),
          },
        ],
      }),
    );
    const texts = [
      block(['tool_name', 'lamp_sett']),
      block(['tool_name', 'lamp_set'], ['level', '500']),
      block(['tool_name', 'lamp_set']),
      block(['tool_name', 'door_open']),
      '```\n' + block(['tool_name', 'lamp_off']) + '\n```',
    ];
    await write(texts.join('\n'));
    await vi.waitUntil(() => pane.findAll('.problem').length === 5);
    const problems = pane.findAll('.problem').map((problem) => problem.get('.what').text());
    expect(problems).toEqual([
      'Unknown method',
      'Argument “level” is invalid',
      'Argument “level” is missing',
      'Not callable by models',
      'In a code block',
    ]);
    expect(pane.text()).not.toContain('No problems');
    await pane.findAll('.problems .chip')[0]!.trigger('click');
    expect(pane.findAll('.problem').map((problem) => problem.get('.what').text())).toEqual(['In a code block']);
  });

  it('lists a tool that is off as a problem, also on its card, and switches it on there', async () => {
    const tools = window.use(() => useTools());
    tools.setEnabled('lamp', false);
    await window.use(() => useSettings()).flush();
    await write(block(['tool_name', 'lamp_off']));
    await vi.waitUntil(
      () => pane.findAll('.call').length === 1 && pane.get('.call').text().includes('The tool is off'),
    );
    expect(pane.get('.problem').text()).toContain('The tool is off');
    expect(pane.get('.problem .link').text()).toBe('Enable');
    expect(pane.get('.problems .sub').text()).toContain('Error');
    expect(pane.findAll('.call header button').map((one) => one.text())).not.toContain('Run');
    button('Enable').click();
    await vi.waitUntil(() => tools.find('lamp_off')?.tool.enabled === true);
    await vi.waitUntil(() => !pane.get('.call').text().includes('The tool is off'));
    expect(pane.text()).toContain('No problems');
    expect(pane.get('.call header .btn').attributes('aria-disabled')).toBeUndefined();
  });

  it('shows what a fix writes, and fixes all problems of a kind at once', async () => {
    await write(`${block(['tool_name', 'lamp_sett'], ['level', '1'])}\n`.repeat(2));
    await vi.waitUntil(() => pane.findAll('.problem .link').length === 2);
    // One line each, until one is chosen.
    expect(pane.findAll('.problem .fix')).toHaveLength(0);
    await pane.get('.problem .what').trigger('click');
    expect(pane.findAll('.problem .fix .line').map((line) => line.text())).toEqual([
      '− tool_name:「始」lamp_sett「末」',
      '+ tool_name:「始」lamp_set「末」',
    ]);
    button('Fix all 2').click();
    await vi.waitUntil(() => !store().text.includes('lamp_sett'));
    expect(store().text).toBe(`${block(['tool_name', 'lamp_set'], ['level', '1'])}\n`.repeat(2));
  });

  it('folds many problems of a kind under a heading with their number, and shows the first lines of their fixes', async () => {
    await write(`${block(['tool_name', 'lamp_off'])}\n`.repeat(7) + `${colon}\n`.repeat(6));
    const rows = () => pane.findAll('.problems [role=listitem]').map((row) => row.text());
    await vi.waitUntil(() => rows().length === 2);
    const [first, second] = pane.findAll('.problem-group');
    expect(first!.text()).toMatch(/^Malformed field\s+6\s/);
    expect(first!.findAll('.fix .line').map((line) => line.text())).toEqual([
      '− tool_name：「始」lamp_set「末」',
      '+ tool_name:「始」lamp_set「末」',
      '…',
    ]);
    expect(second!.text()).toMatch(/^Repeated call\s+6\s/);
    expect(second!.findAll('.link')).toHaveLength(0);
    await second!.get('[aria-expanded=false]').trigger('click');
    expect(rows()).toHaveLength(8);
    await second!.get('[aria-expanded=true]').trigger('click');
    expect(rows()).toHaveLength(2);
    button('Next problem').click();
    await vi.waitUntil(() => rows().length === 8);
    expect(pane.findAll('.problem.sel')).toHaveLength(1);
    button('Fix all 6').click();
    await vi.waitUntil(() => store().text.match(/：/g) === null);
  });

  it('says under a folded heading what all of its problems have in common, or where they are', async () => {
    const keys = ['级别', '**level**', '亮度', '颜色', '名称', '时间', '位置', '状态', '模式', '开关'];
    const bad = keys.map((key) => `${block(['tool_name', 'lamp_off'], [key, '1'])}\n`);
    await write(bad.join('') + `${block(['tool_name', 'lamp_off'])}\n`.repeat(7));
    await vi.waitUntil(() => pane.findAll('.problem-group').length === 2);
    const [malformed, repeated] = pane.findAll('.problem-group').map((group) => group.text());
    expect(malformed).toMatch(/^Malformed field\s+10\s+Lines 3, 7, 11, 15, 19, 23, 27, 31 and 2 more/);
    expect(malformed).not.toContain('is not a key');
    expect(repeated).toMatch(/^Repeated call\s+6\s+lamp_off is called with the same arguments more than once/);
  });

  it('reads a file that was dropped on the window', async () => {
    const file = new File([block(['tool_name', 'lamp_set'], ['level', '7'])], 'reply.txt', { type: 'text/plain' });
    window.use(() => useDroppedFiles()).give('parser', file);
    await vi.waitUntil(() => pane.findAll('.call').length === 1);
  });
});
