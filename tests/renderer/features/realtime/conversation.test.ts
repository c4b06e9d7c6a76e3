import { describe, expect, it } from 'vitest';

import { ConversationCopy } from '../../../../renderer/features/realtime/conversationCopy.ts';
import {
  isChanged,
  methodRefs,
  offeredNames,
  ownTool,
  setupOf,
} from '../../../../renderer/features/realtime/setup/setupDraft.ts';
import { transcriptLines } from '../../../../renderer/features/realtime/transcript/transcriptLines.ts';
import type {
  RealtimeSessionInfo,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
  ToolView,
} from '../../../../src-core/contract/types.ts';

const said = (id: string, text: string, at = 1): RealtimeTranscriptEntry => ({
  id,
  who: 'bot',
  text,
  partial: true,
  at,
});
const tool = (seq: number, from: number): RealtimeTimelineItem => ({
  seq,
  lane: 'tool',
  from,
  label: 'a_b',
  state: 'running',
  events: [],
  call: { callId: 'c', toolName: 'a_b', argumentsJson: '{}' },
});

describe('the copy of a conversation', () => {
  it('takes what changed in the place of what it was', () => {
    const copy = new ConversationCopy();
    copy.take({
      transcript: [said('a', 'One'), said('b', 'Two')],
      timeline: [tool(1, 5)],
      revision: 4,
      more: false,
    });
    copy.take({
      transcript: [said('a', 'One more')],
      timeline: [{ ...tool(1, 5), state: 'ok' }],
      revision: 6,
      more: false,
    });
    expect(copy.transcript().map(({ text }) => text)).toEqual(['One more', 'Two']);
    expect(copy.items().map(({ state }) => state)).toEqual(['ok']);
    expect(copy.revision).toBe(6);
  });

  it('asks for everything once more when the conversation has ended and comes from the log', () => {
    const copy = new ConversationCopy();
    const part = { timeline: [] };
    expect(copy.take({ ...part, transcript: [said('a', 'One')], revision: 900, more: false })).toBe(false);
    const kept = { ...part, kept: true as const, more: false };
    expect(copy.take({ ...kept, transcript: [], revision: 40 })).toBe(true);
    expect(copy.revision).toBe(0);
    expect(copy.take({ ...kept, transcript: [said('a', 'One, whole')], revision: 40 })).toBe(false);
    expect([copy.revision, copy.transcript().map(({ text }) => text)]).toEqual([40, ['One, whole']]);
  });

  it('reads a log from its beginning, page by page', () => {
    const copy = new ConversationCopy();
    const page = { timeline: [], kept: true as const };
    expect(copy.take({ ...page, transcript: [said('a', 'One')], revision: 1, more: true })).toBe(true);
    expect(copy.take({ ...page, transcript: [said('b', 'Two')], revision: 2, more: false })).toBe(false);
    expect(copy.transcript().map(({ text }) => text)).toEqual(['One', 'Two']);
  });
});

it('the transcript has calls between the words, in the order of time', () => {
  const { call, ...event } = tool(2, 6);
  const lines = transcriptLines([said('a', 'One', 1), said('b', 'Two', 9)], [tool(1, 5), { ...event, lane: 'event' }]);
  expect(lines.map(({ key }) => key)).toEqual(['a', 'call-1', 'b']);
});

describe('the settings of a conversation', () => {
  const method = (name: string): ToolView['methods'][number] => ({
    name,
    qualifiedName: `t_${name}`,
    description: '',
    inputSchema: {},
    parameters: [],
    agentCallable: true,
  });
  const tools: ToolView[] = [
    {
      id: 't',
      name: 'T',
      source: { kind: 'builtin', id: 'builtin', label: 'Built-in' },
      enabled: true,
      methods: [
        method('a'),
        { ...method('b'), consumers: ['host', 'realtime'] },
        { ...method('person'), agentCallable: false },
        { ...method('forChat'), consumers: ['chat', 'host'] },
      ],
    },
    {
      id: 'off',
      name: 'Off',
      source: { kind: 'builtin', id: 'builtin', label: 'Built-in' },
      enabled: false,
      methods: [method('c')],
    },
  ];
  const info = {
    profileId: 'p',
    voice: 'v',
    instructions: 'i',
    plan: 'station',
    toolChoice: 'chosen',
    tools: ['t_b'],
    droppedTools: ['t_a'],
  };

  it('know all tools from chosen ones; those the server dropped were wanted, too', () => {
    expect(offeredNames(tools)).toEqual(['t_a', 't_b']);
    // As much of a session as its setup has.
    const draft = setupOf({ ...info, toolChoice: 'all' } as unknown as RealtimeSessionInfo);
    expect(draft.tools).toBeUndefined();
    expect(setupOf(info as unknown as RealtimeSessionInfo).tools).toEqual(['t_b', 't_a']);
    const fewer = setupOf({ ...info, droppedTools: [] } as unknown as RealtimeSessionInfo);
    expect(fewer.tools).toEqual(['t_b']);
    expect(isChanged(draft, fewer)).toBe(true);
    expect(isChanged({ ...fewer, tools: ['t_b'] }, fewer)).toBe(false);
  });

  it('take a device’s own tools for all where it speaks; none while it is not there', () => {
    const devices = new Map([['d', { registryId: 't' }]]);
    const from = { kind: 'device' as const, deviceId: 'd' };
    const other = { ...tools[0]!, id: 'o', methods: [{ ...method('c'), qualifiedName: 'o_c' }] };
    expect(offeredNames([...tools, other], ownTool(from, devices))).toEqual(['t_a', 't_b']);
    expect(offeredNames([...tools, other], ownTool(from, new Map()))).toEqual([]);
    expect(offeredNames([...tools, other], ownTool({ kind: 'window' }, devices))).toEqual(['t_a', 't_b', 'o_c']);
  });

  it('name methods as the contract does, without those that are gone', () => {
    expect(methodRefs(['t_b', 'gone_x'], tools)).toEqual([{ toolId: 't', methodName: 'b' }]);
  });
});
