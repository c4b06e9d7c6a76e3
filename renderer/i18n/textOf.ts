import { shallowRef } from 'vue';

import { renderMessage, type Catalogue, type Message } from '../../src-core/base/messages/message.ts';
import { wordEngine } from './engine/wordEngine.ts';
import { language } from './index.ts';

const zh = shallowRef<Catalogue>();
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  zh.value = (await import('../../src-core/base/messages/zh/index.ts')).zh;
}

/** Loads the engine's catalogue once, if the window's language is not English: messages have their English text. */
export function loadMessages(): Promise<void> {
  return language.value === 'en' ? Promise.resolve() : (loading ??= load());
}

/** The message in the window's language. Reactive if called in a template or a computed. */
export function textOf(message: Message): string {
  if (language.value === 'en') return message.text;
  if (zh.value === undefined) void loadMessages();
  return zh.value === undefined ? message.text : renderMessage(wordCauses(message), zh.value);
}

/** Sentences that end with a server's own words, which stay as they are. */
const quotesServer = new Set(['servers.requestRefused', 'servers.failed.rpc', 'signIn.registration-refused']);

/** The message with a cause in the words of the engine or of Node translated: no catalogue has those. */
function wordCauses(message: Message): Message {
  if (message.params === undefined || quotesServer.has(message.code ?? '')) return message;
  const params = Object.entries(message.params).map(([name, value]) => {
    if (typeof value === 'object' && 'text' in value) return [name, wordCauses(value)];
    return [name, typeof value === 'string' && /^(reason|cause)$/.test(name) ? wordEngine(value) : value];
  });
  return { ...message, params: Object.fromEntries(params) as Message['params'] };
}
