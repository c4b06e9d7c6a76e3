/** The transcript of a long conversation: only its newest lines exist until earlier ones are asked for. */
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nextTick } from 'vue';

import CallLine from '../../../../renderer/features/realtime/transcript/CallLine.vue';
import TranscriptView from '../../../../renderer/features/realtime/transcript/TranscriptView.vue';
import type { CallItem, TranscriptLine } from '../../../../renderer/features/realtime/transcript/transcriptLines.ts';
import type { RealtimeSessionInfo } from '../../../../src-core/contract/types.ts';
import { giveLayout } from '../../layout.ts';

let undo: () => void;
beforeEach(() => {
  undo = giveLayout();
});
afterEach(() => undo());

// As much of a session as a transcript needs.
const info = { id: 's', state: 'closed' } as RealtimeSessionInfo;
const linesTo = (count: number): TranscriptLine[] =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'said',
    key: `${at}`,
    at,
    entry: { id: `${at}`, who: 'bot', text: `line ${at}`, partial: false, at },
  }));

test('of 2,000 lines 200 exist, and 200 more with each request', async () => {
  const view = mount(TranscriptView, { props: { info, lines: linesTo(2_000) }, global: { plugins: [createPinia()] } });
  const shown = (): string[] => view.findAll('.words').map((line) => line.text());
  expect(shown()).toHaveLength(200);
  expect(shown().at(-1)).toBe('line 1999');
  await view.get('button').trigger('click');
  expect(shown()).toHaveLength(400);
  await view.setProps({ lines: linesTo(2_010) });
  expect(shown()).toHaveLength(200);
  expect(shown().at(-1)).toBe('line 2009');
  await view.setProps({ lines: linesTo(20) });
  expect(shown()).toHaveLength(20);
  expect(view.find('button').exists()).toBe(false);
});

test('long arguments and a long output of a call take few elements and few characters', async () => {
  const call = { callId: 'c', toolName: 'a_b', argumentsJson: 'x'.repeat(250_000), output: 'line\n'.repeat(40_000) };
  const item: CallItem = { seq: 1, lane: 'tool', from: 1, to: 2, label: 'a_b', state: 'ok', events: [], call };
  const line = mount(CallLine, { props: { info, item }, global: { plugins: [createPinia()] } });
  expect(line.get('code').text()).toHaveLength(1_000);
  expect(line.element.textContent.length).toBeLessThan(10_000);
  await nextTick();
  expect(line.get('.code-block').text()).toContain('line');
});
