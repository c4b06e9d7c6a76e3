import { describe, expect, test } from 'vitest';

import type { ToolChanges, ToolView } from '../../../../src-core/contract/types.ts';
import { createToolChanges } from '../../../../src-core/features/discovery/toolChanges.ts';

const tool = (id: string, methods = 1): ToolView => ({
  id,
  name: id,
  source: { kind: 'device', id, label: id },
  enabled: true,
  methods: Array.from({ length: methods }, (_, at) => ({
    name: `m${at}`,
    description: '',
    agentCallable: true,
    inputSchema: { type: 'object' },
    qualifiedName: `${id}_m${at}`,
    parameters: [],
  })),
});

/** A window of the service: asks until there is no more, as the page does, and keeps what it was told. */
function startWindow(changes: (since: string | undefined) => ToolChanges) {
  const known = new Map<string, ToolView>();
  let since: string | undefined;
  return {
    known,
    ask(): ToolChanges[] {
      const answers: ToolChanges[] = [];
      for (let more = true; more;) {
        const answer = changes(since);
        answers.push(answer);
        if (answer.whole) known.clear();
        for (const id of answer.gone) known.delete(id);
        for (const view of answer.tools) known.set(view.id, view);
        ({ at: since, more } = answer);
      }
      return answers;
    },
  };
}

function startTools() {
  const tools = new Map<string, ToolView>();
  const { changes } = createToolChanges(() => new Map(tools));
  return { tools, changes };
}

describe('changes', () => {
  test('are first everything, then what came, changed and went', () => {
    const { tools, changes } = startTools();
    for (const id of ['a', 'b', 'c']) tools.set(id, tool(id));
    const window = startWindow(changes);
    expect(window.ask()).toMatchObject([{ whole: true, tools: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], gone: [] }]);
    expect(window.ask()).toMatchObject([{ whole: false, tools: [], gone: [], more: false }]);

    tools.delete('a');
    tools.set('b', tool('b', 2));
    tools.set('d', tool('d'));
    expect(window.ask()).toMatchObject([{ whole: false, tools: [{ id: 'b' }, { id: 'd' }], gone: ['a'] }]);
    expect(window.known).toEqual(tools);
  });

  test('come in parts that split no tool, also while tools change', () => {
    const { tools, changes } = startTools();
    for (let index = 0; index < 100; index++) tools.set(`t${index}`, tool(`t${index}`, 32));
    tools.set('large', tool('large', 5_000));
    const window = startWindow((since) => {
      const answer = changes(since);
      tools.delete('t0');
      tools.set('t99', tool('t99', 3));
      return answer;
    });
    const answers = window.ask();
    expect(answers.length).toBeGreaterThan(8);
    for (const { tools: part } of answers) {
      const methods = part.reduce((sum, { methods: own }) => sum + own.length, 0);
      expect(methods <= 400 || part.length === 1).toBe(true);
    }
    window.ask();
    expect(new Set(window.known.keys())).toEqual(new Set(tools.keys()));
    expect(window.known.get('t99')?.methods).toHaveLength(3);
  });

  test('tell a tool that went and came back as changed', () => {
    const { tools, changes } = startTools();
    tools.set('a', tool('a'));
    const window = startWindow(changes);
    window.ask();
    tools.delete('a');
    startWindow(changes).ask();
    tools.set('a', tool('a', 4));
    expect(window.ask()).toMatchObject([{ gone: [], tools: [{ id: 'a' }] }]);
    expect(window.known).toEqual(tools);
  });

  test.each([['nonsense'], ['some-other-run 3'], ['']])('begin anew for the mark "%s"', (mark) => {
    const { tools, changes } = startTools();
    tools.set('a', tool('a'));
    expect(changes(mark)).toMatchObject({ whole: true, tools: [{ id: 'a' }] });
  });

  test('begin anew for a mark of the future, and for one whose changes are forgotten', () => {
    const { tools, changes } = startTools();
    tools.set('stays', tool('stays'));
    const { at } = changes(undefined);
    expect(changes(at.replace(/\d+$/, '99')).whole).toBe(true);
    const late = startWindow(changes);
    late.ask();
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 5_000; index++) tools.set(`r${round}-${index}`, tool(`r${round}-${index}`));
      changes(undefined);
      for (let index = 0; index < 5_000; index++) tools.delete(`r${round}-${index}`);
      changes(undefined);
    }
    expect(late.ask()[0]).toMatchObject({ whole: true });
    expect([...late.known.keys()]).toEqual(['stays']);
  });
});
