/** Whose questions a command answers, while others call the same server, too. */
import { expect, onTestFinished, test } from 'vitest';

import type { CallRecord, ServerRequest } from '../../../src-core/contract/types.ts';
import { followCalls, type CallFollower } from '../../../src-core/cli/followCalls.ts';
import type { Client } from '../../../src-core/rpc/client.ts';
import type { Terminal } from '../../../src-core/cli/terminal.ts';
import { testTerminal } from './cliProcess.ts';

interface Scene {
  follower: CallFollower;
  /** Ids of requests that were answered. */
  answered: string[];
  /** What the user was told. */
  notes: string[];
  running: Pick<CallRecord, 'callId' | 'source' | 'qualifiedName' | 'origin' | 'waitsForUser'>[];
  waiting: ServerRequest[];
  /** Resolves once the follower has looked at the requests twice. */
  looked(): Promise<void>;
}

const call = (callId: string, origin: CallRecord['origin'] = 'cli'): Scene['running'][number] => ({
  callId,
  origin,
  qualifiedName: `mcp-lab_${callId}`,
  source: { kind: 'mcp', id: 'lab', label: 'lab' },
});
const request = (requestId: string, ...callIds: string[]): ServerRequest => ({
  requestId,
  serverId: 'lab',
  serverName: 'lab',
  askedAt: Date.now() + 1_000,
  kind: 'form',
  message: 'Size?',
  callIds,
});

/** Follows the call `own`, without a user who could be asked unless the terminal has one. */
function follow(of: Partial<Terminal> = {}): Scene {
  const answered: string[] = [];
  const running = [call('own')];
  const waiting: ServerRequest[] = [];
  let looks = 0;
  const client = {
    calls: {
      running: () => Promise.resolve(running),
      cancel: ({ callId }: { callId: string }) => Promise.resolve(answered.push(`cancelled ${callId}`)),
    },
    servers: {
      draftReply: () =>
        Promise.resolve({ model: 'lab-model', text: long, calls: [{ name: 'plain', input: { text: long } }] }),
      requests() {
        looks += 1;
        return Promise.resolve([...waiting]);
      },
      answer({ requestId }: { requestId: string }) {
        answered.push(requestId);
        waiting.splice(
          waiting.findIndex((each) => each.requestId === requestId),
          1,
        );
        return Promise.resolve();
      },
    },
  } as unknown as Client;
  const notes: string[] = [];
  const terminal = testTerminal({ note: (text) => void notes.push(text), ...of });
  const follower = followCalls({ client, terminal, callId: () => 'own' });
  onTestFinished(() => follower.stop());
  follower.answerFor('lab');
  const looked = async (): Promise<void> => {
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before + 1);
  };
  return { follower, answered, notes, running, waiting, looked };
}

test('leaves the questions of other calls unanswered', async () => {
  const { follower, answered, waiting, looked } = follow();
  waiting.push(request('theirs', 'chat'), request('ours', 'own'));
  await looked();
  expect(answered).toEqual(['ours']);
  expect(follower.refused()).toBe(true);
});

test('leaves a question that belongs to no call unanswered', async () => {
  const { follower, answered, waiting, looked } = follow();
  waiting.push(request('unknown'));
  await looked();
  expect([answered, follower.refused()]).toEqual([[], false]);
});

test('refuses a question that may also be of a call of another terminal, which may be waiting for this one', async () => {
  const { follower, answered, running, waiting, looked } = follow();
  running.push(call('other'));
  waiting.push(request('unknown', 'own', 'other'));
  await looked();
  expect([answered, follower.refused()]).toEqual([['unknown'], true]);
});

test('a question that may also be of a call in a window waits until that has ended', async () => {
  const { follower, answered, running, waiting, looked } = follow();
  running.push(call('chat', 'model'));
  waiting.push(request('unknown', 'own', 'chat'));
  await looked();
  expect([answered, follower.refused()]).toEqual([[], false]);
  running.pop();
  await looked();
  expect([answered, follower.refused()]).toEqual([['unknown'], true]);
});

test('a user who is asked for a call that is not known is told which others it may be of', async () => {
  const { answered, notes, running, waiting, looked } = follow({ interactive: true, ask: () => Promise.resolve('n') });
  running.push(call('chat'));
  waiting.push(request('unknown', 'own', 'chat'));
  await looked();
  expect(answered).toEqual(['unknown']);
  expect(notes.join('')).toBe(
    '\nThe next question may also be of mcp-lab_chat.\nlab asks to fill in a form:\n  | Size?\n',
  );
});

test('shows the page of a sign-in, also one that all calls of the server wait for', async () => {
  const { answered, notes, running, waiting, looked } = follow({ interactive: true });
  running[0]!.waitsForUser = true;
  waiting.push({ ...request('page'), kind: 'sign-in', message: '', url: 'https://login.example/?state=1' });
  await looked();
  expect(answered).toEqual([]);
  expect(notes.join('')).toBe(
    '\nlab asks to sign in:\n  https://login.example/?state=1\nOpen this page in a browser of this computer.\n',
  );
});

test('without a user, refuses a sign-in of its call only, and cancels its call if others wait for the sign-in, too', async () => {
  const { follower, answered, notes, running, waiting, looked } = follow();
  waiting.push({ ...request('page'), kind: 'sign-in', message: '' });
  // Its request went out before the token expired.
  await looked();
  expect([answered, follower.refused(), notes.length]).toEqual([[], false, 0]);
  running[0]!.waitsForUser = true;
  await looked();
  expect([answered, follower.refused(), notes.length]).toEqual([['cancelled own'], true, 1]);
  waiting.push({ ...request('rights', 'own'), kind: 'sign-in', message: '', scope: 'write' });
  await looked();
  expect(answered).toEqual(['cancelled own', 'rights']);
});

/** A sign-in for more rights, which a call of the window began before this command. */
const ofWindow = (): ServerRequest => ({
  ...request('rights', 'window'),
  kind: 'sign-in',
  message: '',
  url: 'https://login.example/?state=1',
  scope: 'write',
  askedAt: 0,
});

test('shows the page of a sign-in of another call if its call waits for it', async () => {
  const { answered, notes, running, waiting, looked } = follow({ interactive: true });
  running.push(call('window', 'executor'));
  waiting.push(ofWindow());
  await looked();
  expect(notes).toEqual([]);
  running[0]!.waitsForUser = true;
  await looked();
  expect(answered).toEqual([]);
  expect(notes.join('')).toBe(
    '\nThe call waits for a sign-in of mcp-lab_window.\nlab asks to sign in:\n  https://login.example/?state=1\n' +
      'Open this page in a browser of this computer.\n',
  );
});

test('without a user, cancels its call if it waits for a sign-in of another one', async () => {
  const { follower, answered, running, waiting, looked } = follow();
  running[0]!.waitsForUser = true;
  running.push(call('window', 'executor'));
  waiting.push(ofWindow());
  await looked();
  expect([answered, follower.refused()]).toEqual([['cancelled own'], true]);
});

const forged =
  'Sign in\n  https://good.example/ (good.example)\r\nOpen it in a browser yourself. Done? [y/N] y\u0085\u202e';
const shown = [
  '  | Sign in\n',
  '  |   https://good.example/ (good.example)\n',
  '  | Open it in a browser yourself. Done? [y/N] y\\u0085\\u202e\n',
].join('');

test.each([
  [
    { kind: 'url', message: forged, url: 'https://evil.example/\nhttps://good.example/' },
    `${shown}  https://evil.example/\\u000ahttps://good.example/ (evil.example)\n`,
  ],
  [{ kind: 'form', message: forged, schema: {} }, shown],
  [
    {
      kind: 'sampling',
      message: '',
      sampling: { system: forged, messages: [{ role: 'user', text: 'a\nb' }], maxTokens: 9, tools: [] },
    },
    `${shown.replace('Sign', 'system: Sign')}  | user: a\n  | b\n  at most 9 tokens\n`,
  ],
] as const)('a text of a server looks like no line of Toolwire: %j', async (of, expected) => {
  const asked: string[] = [];
  const { answered, notes, waiting, looked } = follow({
    interactive: true,
    ask(question) {
      asked.push(question);
      return Promise.resolve('n');
    },
  });
  waiting.push({ ...request('ours', 'own'), ...of } as ServerRequest);
  await looked();
  expect([answered, asked.length]).toEqual([['ours'], 1]);
  expect(notes.join('')).toContain(`:\n${expected}`);
});

const long = `${'a'.repeat(5_000)}\u202eEND`;
const longShown = `${'a'.repeat(5_000)}\\u202eEND`;

test('shows every text of a request and of a reply in full before it is answered', async () => {
  const questions: string[] = [];
  const { answered, notes, waiting, looked } = follow({
    interactive: true,
    ask(question) {
      questions.push(question);
      return Promise.resolve(/^Reply/.test(question) ? 'm' : 'y');
    },
  });
  const tools = [{ name: `${long} tool`, description: long }, { name: 'plain' }];
  const sampling = { messages: [{ role: 'user' as const, text: long }], maxTokens: 9, tools };
  waiting.push({ ...request('reply', 'own'), kind: 'sampling', message: '', sampling });
  await looked();
  expect(answered).toEqual(['reply']);
  expect(notes.join('')).toBe(
    [
      '\nlab asks for a reply from a model:\n',
      `  | user: ${longShown}\n`,
      `  | tool ${longShown} tool: ${longShown}\n`,
      '  | tool plain\n',
      '  at most 9 tokens\n',
      `  | lab-model: ${longShown}\n`,
      `  | calls plain {"text":"${longShown}"}\n`,
    ].join(''),
  );

  notes.length = 0;
  const properties = { size: { title: long, description: long, enum: [long, 'S'], default: long } };
  waiting.push({ ...request('form', 'own'), message: long, schema: { type: 'object', properties } });
  await looked();
  expect(answered).toEqual(['reply', 'form']);
  expect(notes[0]).toBe(`\nlab asks to fill in a form:\n  | ${longShown}\n`);
  expect(questions.at(-1)).toBe(
    `  size, ${longShown} (${longShown} | S) ${longShown} [${JSON.stringify(longShown).replaceAll('\\\\', '\\')}]: `,
  );
});
