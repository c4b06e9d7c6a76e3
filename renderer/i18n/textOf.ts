import { shallowRef } from 'vue';

import { renderMessage, type Catalogue, type Message } from '../../src-core/base/messages/message.ts';
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
  return zh.value === undefined ? message.text : renderMessage(message, zh.value);
}
