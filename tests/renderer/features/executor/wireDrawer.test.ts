import { expect, it, vi } from 'vitest';
import { shallowRef } from 'vue';

import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import WireDrawer from '../../../../renderer/features/executor/WireDrawer.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

const frames = vi.hoisted(() => [] as object[]);
vi.mock(import('../../../../renderer/features/log/useCallFrames.ts'), () => ({
  useCallFrames: () => ({ frames: shallowRef(frames as never), loaded: shallowRef(true), error: shallowRef() }),
}));

let window: TestWindow;

windowForEachTest((opened) => (window = opened));

it.each([
  ['mcp', undefined, 'server answered after 4 ms'],
  ['mcp', true, 'server answered with an error after 4 ms'],
  ['device', undefined, 'device answered after 4 ms'],
])('says who answered: %s', (source, failed, words) => {
  const frame = { seq: 1, at: 1, source, connection: 's', direction: 'in', kind: 'text', type: 'mcp', bytes: 2 };
  frames.splice(0, 1, { ...frame, role: 'answer', summary: 'answer', text: '{}', durationMs: 4, failed });
  const executor = window.use(() => useExecutor());
  executor.selected = { callId: 'c' } as typeof executor.selected;
  expect(window.mount(WireDrawer, { shut: true }).text()).toContain(words);
});

it('takes the time of the answers of this side off the time of the server, and names it', () => {
  const frame = { at: 1, source: 'mcp', connection: 's', kind: 'text', type: 'mcp', bytes: 2, role: 'answer' };
  frames.splice(0, 1, { ...frame, seq: 1, direction: 'out', summary: 'answer', text: '{}', durationMs: 32_000 });
  frames.push({ ...frame, seq: 2, direction: 'in', summary: 'answer', text: '{}', durationMs: 32_065 });
  const executor = window.use(() => useExecutor());
  executor.selected = { callId: 'c' } as typeof executor.selected;
  const fact = window.mount(WireDrawer, { shut: true }).get('.fact').text();
  expect(fact.replaceAll(/\s+/g, ' ')).toBe('server answered after 65 ms, without the 32.0 s that it waited for you');
  frames.pop();
});

it.each([
  ['success', 49, 'server answered after 49 ms, without the 32.0 s that it waited for you'],
  ['error', 32_050, 'server answered after 32.0 s'],
])('has the same time as the result if the question belongs to no call: %s', (status, durationMs, words) => {
  const frame = { at: 1, source: 'mcp', connection: 's', kind: 'text', type: 'mcp', bytes: 2, role: 'answer' };
  frames.splice(0, 1, { ...frame, seq: 1, direction: 'in', summary: 'answer', text: '{}', durationMs: 32_049 });
  const executor = window.use(() => useExecutor());
  executor.selected = { callId: 'c', argsJson: '{}', result: { status, durationMs } } as typeof executor.selected;
  expect(window.mount(WireDrawer, { shut: true }).get('.fact').text().replaceAll(/\s+/g, ' ')).toBe(words);
});

it.each([
  ['cancelled', 'request #9 was cancelled', 't2'],
  ['timeout', 'request #9 has no answer', 'error'],
])('says why a request has no answer: %s', (code, words, kind) => {
  const frame = {
    seq: 1,
    at: 1,
    source: 'mcp',
    connection: 's',
    direction: 'out',
    kind: 'text',
    type: 'mcp',
    bytes: 2,
  };
  frames.splice(0, 1, { ...frame, role: 'request', rpcId: 9, summary: 'tools/call', text: '{}' });
  const executor = window.use(() => useExecutor());
  executor.selected = {
    callId: 'c',
    argsJson: '{}',
    result: { status: 'error', error: { code } },
  } as typeof executor.selected;
  const drawer = window.mount(WireDrawer, { shut: true });
  expect(drawer.get('.fact').text()).toBe(words);
  expect(drawer.get('.fact').classes()).toContain(kind);
});
