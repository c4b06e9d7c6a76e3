import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

import type { Client } from '../../../src-core/rpc/client.ts';
import { startScriptedChatServer } from '../../fakes/scriptedChatServer.ts';
import type { Product } from '../../attacks/product.ts';
import { inPieces } from '../../helpers/chatFileText.ts';
import { chatFileOf, messageOf, replyOf } from '../../helpers/largeChatFiles.ts';
import { connectHostileDevice } from './hostileDevice.ts';

export interface PageCase {
  what: string;
  /** Prepares the engine; resolves to what is done in the page while its tasks are measured. */
  prepare: (product: Product, page: Page) => Promise<() => Promise<unknown>>;
}

/** Choices of an enum: with more of them the engine refuses the schema. */
const choices = 9_900;

/** A module whose method has a parameter with very many choices. */
export const choicesModule = `export default { methods: { pick: { description: 'Picks one.', inputSchema: { type: 'object', required: ['one'], properties: {
  one: { type: 'string', enum: Array.from({ length: ${choices} }, (_, at) => 'choice ' + at) } } }, handler: () => 'done' } } };`;

/** A reply of one repeated unit, at the limits up to which it is read as Markdown. */
function replyCase(what: string, unit: string, times: number): PageCase {
  return {
    what: `a reply of ${times} ${what}`,
    async prepare({ client }, page) {
      const text = unit.repeat(times).slice(0, 60_000);
      const id = await chatAnswering(client, text, true);
      return async () => {
        await goTo(page, `#/chat/${id}`);
        await page.locator('.model-step .markdown, .model-step .md-long').first().waitFor();
        await delay(1_000);
      };
    },
  };
}

/** A chat with a model that answers with that text; resolves to its id, once it has answered if wanted. */
async function chatAnswering(client: Client, text: string, isAnswered: boolean): Promise<string> {
  const server = await startScriptedChatServer({ turns: [{ text }] });
  const { id: modelId } = await client.models.save({
    kind: 'openai-compatible',
    label: 'Hostile',
    preset: 'custom',
    baseUrl: server.baseUrl,
    model: 'stand-in',
    stream: true,
    totalMs: 60_000,
    chunkMs: 60_000,
  });
  const { id } = await client.chat.create({ options: { modelId, protocol: 'vcp' } });
  await client.chat.send({ sessionId: id, text: 'Go.' });
  const ended = (async () => {
    while ((await client.chat.list()).some(({ running }) => running)) await delay(50);
    await server.close();
  })();
  if (isAnswered) await ended;
  return id;
}

/** A chat that was imported, so that one page of it has 60 of its messages. */
function chatCase(what: string, entryOf: (at: number) => object): PageCase {
  return {
    what: `a chat of ${what}`,
    async prepare({ client }, page) {
      const sessionId = await importChat(client, entryOf);
      return () => openChat(page, sessionId);
    },
  };
}

/** Scrolls to the first message that is drawn, again and again. */
function scrolledChatCase(what: string, entryOf: (at: number) => object): PageCase {
  return {
    what: `a chat of ${what}, scrolled up`,
    async prepare({ client }, page) {
      await openChat(page, await importChat(client, entryOf));
      return async () => {
        for (let times = 0; times < 20; times += 1) {
          await page.locator('.conversation').press('Home');
          await delay(250);
        }
      };
    },
  };
}

async function importChat(client: Client, entryOf: (at: number) => object): Promise<string> {
  const file = chatFileOf(Array.from({ length: 200 }, (_, at) => entryOf(at)));
  const { sessionId } = await client.chat.importChat(inPieces(file));
  return sessionId;
}

async function openChat(page: Page, sessionId: string): Promise<void> {
  await goTo(page, `#/chat/${sessionId}`);
  await page.locator('.conversation article').first().waitFor();
  await delay(3_000);
}

const replyOfHeadings = (at: number): object => replyOf(at, { text: '# a\n'.repeat(1_500) });

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash);
}

/** Hostile input of models, modules and devices, shown in the window. */
export const pageCases: readonly PageCase[] = [
  {
    what: 'nothing, for a second',
    prepare: async () => () => delay(1_000),
  },
  replyCase('benign lines', 'The lamp in the kitchen is **on**.\n\n', 20),
  replyCase('list items', '- a\n', 500),
  replyCase('pieces of code', '`a`', 1_499),
  replyCase('headings', '# a\n', 1_500),
  replyCase('paragraphs of emphasis', '*a*\n\n', 750),
  replyCase('code blocks', '```\na\n```\n', 50),
  replyCase('JSON lines in one paragraph', '{"a":[1,2,3]},\n', 4_000),
  replyCase('characters in one line', 'a b ', 15_000),
  chatCase('short messages', (at) => messageOf(at, 'Turn on the lamp.')),
  chatCase('replies with calls', (at) => replyOf(at, { text: 'The lamp is **on**.\n\n'.repeat(5), args: { at } })),
  chatCase('replies of 1,500 headings', replyOfHeadings),
  scrolledChatCase('replies of 1,500 headings', replyOfHeadings),
  {
    what: 'a reply of 1 MB that streams while it is shown',
    async prepare({ client }, page) {
      return async () => {
        const id = await chatAnswering(client, 'The lamp is **on**.\n'.repeat(50_000), false);
        await goTo(page, `#/chat/${id}`);
        while ((await client.chat.list()).some(({ running }) => running)) await delay(50);
        await delay(500);
      };
    },
  },
  {
    what: 'Discovery: a parameter of 9,900 choices',
    async prepare(_, page) {
      await goTo(page, '#/discovery');
      return async () => {
        await goTo(page, '#/discovery/hostile/pick');
        await page.locator('.parameters').first().waitFor();
        await delay(1_000);
      };
    },
  },
  ...['Schema', 'Prompt', 'Example'].map((tab) => ({
    what: `Discovery: the ${tab.toLowerCase()} of 9,900 choices`,
    async prepare(_: Product, page: Page) {
      await goTo(page, '#/discovery/hostile/pick');
      await page.locator('.parameters').first().waitFor();
      return async () => {
        await page.getByRole('tab', { name: tab }).click();
        await page.locator('.method .panel .code-block').waitFor();
        await delay(1_000);
        await page.getByRole('tab', { name: 'Parameters' }).click();
        await page.locator('.parameters').first().waitFor();
      };
    },
  })),
  {
    what: 'Executor: a parameter of 9,900 choices',
    async prepare(_, page) {
      return async () => {
        await goTo(page, '#/executor/hostile_pick');
        await page.getByRole('heading', { level: 1, name: 'pick' }).waitFor();
        await page.getByLabel('one', { exact: true }).first().click();
        await delay(1_000);
      };
    },
  },
  {
    what: 'the log of a device searched, frames of 0.5 MB',
    async prepare(product, page) {
      const { socket, call } = await connectHostileDevice(product);
      for (let sent = 0; sent < 16; sent++) socket.send(`{"type":"x","text":"${'needle '.repeat(70_000)}"}`);
      await call();
      await goTo(page, '#/devices');
      await page.getByText('02:00:00:00:00:01').first().click();
      await page.getByRole('searchbox', { name: 'Search frames' }).waitFor();
      return async () => {
        await page.getByRole('searchbox', { name: 'Search frames' }).fill('needle');
        await page.getByText(/^\d+ match(es)?$/).waitFor();
        await page.getByRole('searchbox', { name: 'Search frames' }).press('Enter');
        await delay(1_500);
        await page.getByRole('searchbox', { name: 'Search frames' }).press('Enter');
        await delay(1_500);
      };
    },
  },
  pasteCase('1 MB of calls that do not end', 'The lamp is on. <<<[TOOL_REQUEST]>>>\n'),
  pasteCase('1 MB in one line', 'The lamp is on. 「始」'),
];

/** Pastes 1 MB into the Parser's editor. */
function pasteCase(what: string, unit: string): PageCase {
  return {
    what: `the Parser: ${what}`,
    async prepare(_, page) {
      await goTo(page, '#/parser');
      await page.locator('.monaco-editor .view-line').first().click();
      await page.keyboard.press('Control+a');
      return async () => {
        // The text is made in the page, and pasted in a task of its own: to receive 1 MB from the test takes as long as to paste it.
        await page.evaluate(
          ([unit, times]) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', unit.repeat(times));
            setTimeout(() => {
              document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
            });
          },
          [unit, Math.floor(1_000_000 / unit.length)] as const,
        );
        await delay(5_000);
      };
    },
  };
}
