/** The Parser pane while a text is replayed. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { effectScope, nextTick, ref } from 'vue';

import { useReplay } from '../../../../renderer/features/parser/useReplay.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { block, button, colon, pane, useParserPane, window, write } from './parserWindow.ts';

useParserPane();

const first = block(['tool_name', 'lamp_set'], ['level', '1']);
const open = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」lamp_off「末」';
const at = () => Number(pane.get('.replay .nowrap').text().split(' ')[0]);

describe('a replay', () => {
  it('stops at every card, also of calls that do not run, keeps their marks, and follows them', async () => {
    const text = `${first}\n${colon}\n${open}\n${first}\n${first}\nEnd.`;
    await write(text);
    await vi.waitUntil(() => pane.text().includes('Calls 5'));
    const label = () => pane.get('.parser-head .primary .word').text();
    const marks = () => pane.findAll('.scrub > i').map((mark) => mark.classes()[0]);
    expect(label()).toBe('Run 3 of 5 calls');
    button('Replay').click();
    await vi.waitUntil(() => pane.find('.replay').exists());
    button('Pause').click();
    const slider = pane.get('.replay [role=slider]');
    await slider.trigger('keydown', { key: 'Home' });
    await vi.waitUntil(() => pane.text().includes('No call yet'));
    const ends = [first, colon, open, first, first].map(
      (_part, index, parts) => parts.slice(0, index + 1).join('\n').length,
    );
    // That the third block has no END is known at the next START.
    ends[2] = ends[2]! + '\n<<<[TOOL_REQUEST]>>>'.length;
    for (const [index, end] of ends.entries()) {
      expect(marks()).toEqual(['ok', 'error', 'error', 'ok', 'ok']);
      button('Next call').click();
      await nextTick();
      expect(at()).toBe(end);
      await vi.waitUntil(() => pane.findAll('.call-frame').length === index + 1);
      await vi.waitUntil(() => pane.findAll('.call-frame').at(-1)!.classes().includes('current'));
      expect(label()).toBe('Run 3 of 5 calls');
    }
    expect(pane.findAll('.call-frame.current')).toHaveLength(1);
  });

  it('counts the calls anew after it, if a tool was added meanwhile', async () => {
    await write(`${first}\n${block(['tool_name', 'fan_spin'])}`);
    const label = () => pane.get('.parser-head .primary .word').text();
    await vi.waitUntil(() => label() === 'Run 1 of 2 calls');
    button('Replay').click();
    await vi.waitUntil(() => pane.find('.replay').exists());
    button('Pause').click();
    await pane.get('.replay [role=slider]').trigger('keydown', { key: 'End' });
    await vi.waitUntil(() => pane.findAll('.call-frame').length === 2);
    const spin = { name: 'spin', description: '', agentCallable: true, inputSchema: {}, handler: () => 'spun' };
    const source = { kind: 'builtin' as const, id: 'fan', label: 'Fan' };
    window.workbench.toolRegistryManager.register(
      defineToolRegistry({ id: 'fan', name: 'Fan', source, methods: [spin] }),
    );
    await vi.waitUntil(() => pane.findAll('.call-frame.error').length === 0);
    expect(label()).toBe('Run 1 of 2 calls');
    button('Stop').click();
    await vi.waitUntil(() => label() === 'Run all');
  });

  it('waits while what has come is not read yet, and then catches up', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const isWaiting = ref(true);
    const scope = effectScope();
    const replay = scope.run(() => useReplay(ref('x'.repeat(1_000)), () => isWaiting.value))!;
    replay.play();
    await nextTick();
    vi.advanceTimersByTime(500);
    expect(replay.position.value).toBe(0);
    isWaiting.value = false;
    vi.advanceTimersByTime(50);
    expect(replay.position.value).toBe(66);
    scope.stop();
  });
});

it('shows the problems of another text from the top', async () => {
  const text = (note: string) =>
    `${note}\n${colon}\n`.repeat(4) + `${block(['tool_name', 'lamp_offf'])}\n`.repeat(4) + note;
  await write(text('First.'));
  await vi.waitUntil(() => pane.findAll('.problem').length > 3);
  const list = pane.get<HTMLElement>('.problems .virtual').element;
  list.scrollTop = 80;
  await write(`${text('First.')} More.`);
  await vi.waitUntil(() => pane.findAll('.problem').length > 3);
  expect(list.scrollTop).toBe(80);
  await write(text('Second.'));
  await vi.waitUntil(() => list.scrollTop === 0);
});
