import { expect, it, vi } from 'vitest';

import ConformanceTab from '../../../../renderer/features/servers/detail/ConformanceTab.vue';
import { shownCount } from '../../../../renderer/features/servers/detail/conformanceGroups.ts';
import type { ConformanceState } from '../../../../src-core/contract/types.ts';
import { nodeServer, onlyServer } from '../../../core/features/servers/support.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it('reads out a scenario for the fixtures of the suite as not applicable, as it looks', async () => {
  const revision = '2025-11-25';
  const common = { at: 1, durationMs: 1, checks: [], frames: 0 };
  const gap = { because: 'fixtures' as const, missing: ['test_simple_text'] };
  const scenarios = [
    { ...common, name: 'tools-call-simple-text', verdict: 'passed' as const, gap },
    { ...common, name: 'tools-call-error', verdict: 'failed' as const, gap },
    { ...common, name: 'ping', verdict: 'passed' as const },
  ];
  const state = { results: [{ revision, at: 1, passed: 1, total: 1, scenarios }] } as unknown as ConformanceState;
  await window.workbench.services.servers.add(nodeServer('lab', []));
  const view = window.mount(ConformanceTab, { server: await onlyServer(window.workbench), state });
  const wordOf = (name: string) =>
    view
      .findAll('.scenario')
      .find((row) => row.find('.mono').text() === name)
      ?.get('.visually-hidden')
      .text();
  await vi.waitUntil(() => wordOf('ping') === 'Passed');
  expect(scenarios.map(({ name }) => wordOf(name))).toEqual(['Not applicable', 'Not applicable', 'Passed']);
});

it('counts what passed in the last run only once it has ended', () => {
  const revision = '2025-11-25' as const;
  const results = [1, 2].map((at) => ({ revision, at, passed: at, total: 8, scenarios: [] }));
  expect(shownCount({ results })).toBe('2/8');
  expect(shownCount({ results, running: { revision, done: 3, total: 30 } })).toBeUndefined();
  expect(shownCount({ results: [] })).toBeUndefined();
});
