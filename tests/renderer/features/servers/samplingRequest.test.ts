import { mount } from '@vue/test-utils';
import { getActivePinia } from 'pinia';
import { expect, it, vi } from 'vitest';
import { h } from 'vue';

import { connectionKey } from '../../../../renderer/client/connection.ts';
import SamplingRequest from '../../../../renderer/features/servers/requests/SamplingRequest.vue';
import type { SamplingReply } from '../../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { otherAnswers } from './otherAnswers.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

const call = { name: 'wipe', input: {} };

/** Asks the model, edits its text as given, and sends it. */
async function reply(drafted: Partial<SamplingReply>, edit: string | undefined, offered: string[] = []) {
  const { client } = window.connection;
  await client.models.save({
    kind: 'scripted',
    id: 'scripted',
    label: 'Scripted model',
    script: { turns: [{ text: '' }] },
  });
  const draft = { model: 'gpt', text: '', calls: [], ...drafted };
  const connection = otherAnswers(window.connection, { draftReply: () => Promise.resolve(draft) });
  const request = {
    requestId: `r-${Math.random()}`,
    serverId: 's',
    serverName: 'lab',
    callIds: [],
    askedAt: 0,
    kind: 'sampling' as const,
    message: '',
    sampling: { messages: [], maxTokens: 9, tools: offered.map((name) => ({ name })) },
  };
  const answers: unknown[] = [];
  const card = mount(() => h(SamplingRequest, { request, busy: false, onAnswer: (each) => answers.push(each) }), {
    global: { plugins: [getActivePinia()!], provide: { [connectionKey as symbol]: connection } },
  });
  const ask = card.findAll('button').find((each) => each.text() === 'Ask the model')!;
  await vi.waitUntil(() => ask.attributes('disabled') === undefined);
  await ask.trigger('click');
  await vi.waitUntil(() => ask.attributes('aria-busy') === undefined);
  const said = card.text();
  if (edit !== undefined) await card.get('textarea').setValue(edit);
  await card.get('footer button').trigger('click');
  return { said, sent: (answers[0] as { reply: SamplingReply } | undefined)?.reply };
}

it('says that the model called a tool although none was offered, and sends a text instead', async () => {
  const { said, sent } = await reply({ calls: [call] }, 'My own words');
  expect(said).toContain('The model replied with a tool call, but the server offered no tools. Write a text reply.');
  expect(sent).toEqual({ text: 'My own words', calls: [] });
});

it.each([
  ['what the model wrote', { text: 'It is noon.' }, undefined, 'gpt'],
  ['a correction', { text: 'It is noon.' }, 'It is noon!', 'gpt'],
  ['a text of the user', { text: 'It is noon.' }, 'Ask me tomorrow', undefined],
  ['a call of the model', { calls: [call] }, 'As you like', 'gpt'],
])('names the author of %s', async (_, drafted, edit, model) => {
  expect((await reply(drafted, edit, ['wipe'])).sent?.model).toBe(model);
});
