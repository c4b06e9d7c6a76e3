import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { ChatEntry } from '../../../../src-core/contract/chat.ts';
import type { ChatMessage } from '../../../../src-core/contract/chatMessages.ts';
import { ChatModelError } from '../../../../src-core/features/models/chatModel.ts';
import type { ChatModel, ChatReply } from '../../../../src-core/features/models/chatModel.ts';
import { openChatBench } from './chatBench.ts';
import { block } from './testModel.ts';

/** What may happen next, whatever happened before. */
type Event =
  | { do: 'reply'; calls: string[]; native: boolean }
  | { do: 'stream' | 'fail' | 'send' | 'resume' | 'cancel' | 'finish' | 'edit' }
  | { do: 'decide'; which: number; approve: boolean; always: boolean };

const methods = ['get', 'hang', 'danger', 'throw', 'gone'];

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('reply' as const),
      calls: fc.array(fc.constantFrom(...methods), { maxLength: 4 }),
      native: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      which: fc.nat(3),
      approve: fc.boolean(),
      always: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constantFrom<Event>({ do: 'send' }, { do: 'finish' }, { do: 'stream' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Event>(
      { do: 'cancel' },
      { do: 'resume' },
      { do: 'stream' },
      { do: 'fail' },
      { do: 'edit' },
    ),
  },
);

/** A model and tools that do what they are told, when they are told. */
function puppets() {
  let asked:
    | { resolve: (reply: ChatReply) => void; reject: (error: unknown) => void; part: (text: string) => void }
    | undefined;
  const hanging: (() => void)[] = [];
  const model: ChatModel = {
    name: 'Puppet',
    generate: ({ signal, onPart }) =>
      new Promise((resolve, reject) => {
        asked = { resolve, reject, part: (text) => onPart?.({ type: 'text', text }) };
        signal?.addEventListener('abort', () => reject(new ChatModelError('cancelled', 'Cancelled.')));
      }),
  };
  const bench = openChatBench({
    models: { test: model },
    methods: [
      { name: 'get' },
      { name: 'hang', handler: () => new Promise((resolve) => hanging.push(() => resolve('late'))) },
      { name: 'danger', danger: 'It bites.' },
      { name: 'throw', handler: () => Promise.reject(new Error('no')) },
    ],
  });
  return { ...bench, hanging, asked: () => asked };
}

type Puppets = ReturnType<typeof puppets>;

let replies = 0;

function replyOf({ calls, native }: { calls: string[]; native: boolean }): ChatReply {
  replies += 1;
  const args = (at: number): string => `${replies}-${at}`;
  const toolCalls = calls.map((name, at) => ({
    id: `n${at}`,
    name: `lab_${name}`,
    argumentsText: `{"a":"${args(at)}"}`,
  }));
  const text = calls.map((name, at) => block(`lab_${name}`, { a: args(at) })).join('\n');
  return native ? { text: '', toolCalls, finishReason: 'tool-calls' } : { text, toolCalls: [], finishReason: 'stop' };
}

function perform(lab: Puppets, chat: string, what: Event): void {
  const { service } = lab;
  const { running } = service.get({ sessionId: chat, limit: 1 }).session;
  switch (what.do) {
    case 'send':
      if (!running) service.send({ sessionId: chat, text: 'Go' });
      break;
    case 'resume': {
      const last = lab.entries(chat).at(-1);
      if (!running && last !== undefined && !('stoppedBecause' in last && last.stoppedBecause === 'done')) {
        service.resume({ sessionId: chat });
      }
      break;
    }
    case 'reply':
      lab.asked()?.resolve(replyOf(what));
      break;
    case 'stream':
      lab.asked()?.part(`${block('lab_get', { a: 'part' })}`);
      break;
    case 'fail':
      lab.asked()?.reject(new ChatModelError('stream', 'Broken.'));
      break;
    case 'finish':
      lab.hanging.shift()?.();
      break;
    case 'cancel':
      service.cancel({ sessionId: chat });
      break;
    case 'edit': {
      const [call] = lab.calls(chat).filter(({ state }) => state === 'waiting');
      const decision = { action: 'approve', argsJson: '{"a":"edited"}' } as const;
      if (call) service.decide({ sessionId: chat, callId: call.id, decision });
      break;
    }
    case 'decide': {
      const waiting = lab.calls(chat).filter(({ state }) => state === 'waiting');
      const call = waiting[what.which % Math.max(1, waiting.length)];
      if (call === undefined) break;
      const always = what.always && call.danger === undefined && call.qualifiedName !== undefined;
      const decision = what.approve ? ({ action: 'approve', always } as const) : ({ action: 'refuse' } as const);
      service.decide({ sessionId: chat, callId: call.id, decision });
    }
  }
}

/** Every call has a result if and only if it has ended; once nothing runs, every call has. */
function checkEntries(entries: readonly ChatEntry[], running: boolean): void {
  for (const [at, entry] of entries.entries()) {
    expect(entry.position).toBe(at + 1);
    if (entry.role === 'user') continue;
    const isLast = at === entries.length - 1;
    if (!running || !isLast) expect(entry.state).toBe('ended');
    for (const { state, result, id } of entry.calls) {
      const ended = ['done', 'refused', 'cancelled'].includes(state);
      expect(result !== undefined).toBe(ended);
      if (entry.state === 'ended') expect(ended).toBe(true);
      if (result !== undefined) expect(result.requestId).toBe(id);
    }
    const next = entries[at + 1];
    if (entry.state === 'ended' && next?.role === 'user') expect(entry.stoppedBecause).toBeDefined();
  }
}

/** Native messages: each call has its one answer, right behind it; sides alternate otherwise. */
function checkMessages(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  let last = '';
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(open.shift()).toBe(message.toolCallId);
    } else {
      expect(open).toEqual([]);
      expect(message.role).not.toBe(last);
      open = message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [];
    }
    last = message.role;
  }
  expect(open).toEqual([]);
}

const options = fc.record({
  protocol: fc.constantFrom('vcp' as const, 'native' as const),
  mode: fc.constantFrom('auto' as const, 'manual' as const),
  parallelExecution: fc.boolean(),
});

test('whatever order things happen in, each call in the history has exactly one result', async () => {
  await fc.assert(
    fc.asyncProperty(options, fc.array(event, { minLength: 5, maxLength: 40 }), async (chosen, events) => {
      const lab = puppets();
      const { protocol, mode, parallelExecution } = chosen;
      const chat = lab.chat({ protocol, mode, config: { parallelExecution, maxIterations: 4 } });
      const check = (): void => {
        const { session, entries } = lab.service.get({ sessionId: chat, limit: 1_000 });
        checkEntries(entries, session.running);
      };
      for (const each of [{ do: 'send' } as const, ...events]) {
        perform(lab, chat, each);
        check();
        await new Promise((resolve) => setImmediate(resolve));
        check();
      }
      lab.service.cancel({ sessionId: chat });
      await lab.idle(chat);
      check();
      for (const written of ['native', 'vcp', 'json'] as const) {
        lab.service.updateOptions({ sessionId: chat, options: { protocol: written } });
        checkMessages(lab.service.prompt({ sessionId: chat, text: 'Next' }).messages);
      }
      expect(lab.errors).toEqual([]);
      expect(lab.tracker.running()).toEqual([]);
      await lab.close();
    }),
    { numRuns: 60 },
  );
}, 120_000);
