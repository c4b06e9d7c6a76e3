import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

import { listTools } from '../../../src-core/rpc/listTools.ts';
import type { Client } from '../../../src-core/rpc/client.ts';
import { openStore } from '../../helpers/testStore.ts';
import type { Product } from '../../attacks/product.ts';
import { askOta } from '../../core/features/devices/support/askOta.ts';
import type { ChatServerTurn } from '../../fakes/chatServerTurn.ts';
import { startScriptedChatServer } from '../../fakes/scriptedChatServer.ts';
import { exportedFile, inPieces } from '../../helpers/chatFileText.ts';
import { hostileTexts } from '../../helpers/hostileTexts.ts';
import { largeChatFiles } from '../../helpers/largeChatFiles.ts';
import { connectHostileDevice } from './hostileDevice.ts';
import { collectRun } from '../../core/workbench/runText.ts';

export interface AttackCase {
  what: string;
  /** Size of the hostile input; the floor is `JSON.parse` of a benign message of that size. */
  bytes: number;
  /** Fills the data directory before the product starts. */
  fill?: (dataDir: string) => Promise<void>;
  /** Prepares the product, which is not measured. */
  prepare?: (product: Product) => Promise<void>;
  /** Attacks; resolves when the engine has handled all of it. */
  attack: (product: Product) => Promise<void>;
}

/** Bytes: almost the largest message that a device may send. */
const large = 4_000_000;
/** Bytes: almost the largest message of a device that is parsed. */
const largestParsed = 500_000;

function framesCase(what: string, frame: string): AttackCase {
  return {
    what,
    bytes: frame.length,
    async attack(product) {
      const { socket, call } = await connectHostileDevice(product);
      for (let sent = 0; sent < 16; sent++) socket.send(frame);
      await call();
    },
  };
}

/** A call whose result is that JSON text. */
function replyCase(what: string, content: string): AttackCase {
  const result = `{"content":[{"type":"text","text":${content}}],"isError":false}`;
  return {
    what,
    bytes: result.length,
    attack: async (product) => (await connectHostileDevice(product, { result })).call(),
  };
}

/** A tool with that schema, listed and then called with those arguments. */
function schemaCase(what: string, schema: object, args: object): AttackCase {
  const [schemaJson, argsJson] = [JSON.stringify(schema), JSON.stringify(args)];
  return {
    what,
    bytes: schemaJson.length + argsJson.length,
    attack: async (product) => (await connectHostileDevice(product, { schema: schemaJson })).call(argsJson),
  };
}

async function addModel({ client }: Pick<Product, 'client'>, baseUrl: string, stream = true): Promise<string> {
  const { id } = await client.models.save({
    kind: 'openai-compatible',
    label: 'Hostile',
    preset: 'custom',
    baseUrl,
    model: 'stand-in',
    stream,
    totalMs: 60_000,
    chunkMs: 60_000,
  });
  return id;
}

/** A chat answered by a model server with that turn, which is read unless it is to be refused. */
function chatCase(
  what: string,
  bytes: number,
  protocol: 'native' | 'vcp' | 'json',
  turn: ChatServerTurn,
  { stream = true, isRefused = false } = {},
): AttackCase {
  return {
    what,
    bytes,
    async attack({ client }) {
      const server = await startScriptedChatServer({ turns: [turn, { text: 'done' }] });
      try {
        const modelId = await addModel({ client }, server.baseUrl, stream);
        const { id: sessionId } = await client.chat.create({ options: { modelId, protocol } });
        await client.chat.send({ sessionId, text: 'Go.' });
        while ((await client.chat.list()).some(({ running }) => running)) await delay(50);
        const { entries } = await client.chat.get({ sessionId, limit: 10 });
        const failure = entries.find((entry) => entry.role === 'assistant')?.failure?.message;
        if ((failure !== undefined) !== isRefused)
          throw new Error(`${what}: ${failure ?? 'the reply was not refused'}`);
      } finally {
        await server.close();
      }
    },
  };
}

/** A chat whose model reads four results, each as long as is compared, and then makes 8 calls that are compared with them. */
function steeredCase(what: string, unit: string): AttackCase {
  const text = unit.repeat(Math.ceil(32_700 / unit.length)).slice(0, 32_700);
  const values = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`value${at}`, text.slice(at, at + 150)]));
  return {
    what,
    bytes: 4 * text.length,
    async attack(product) {
      const content = JSON.stringify([{ type: 'text', text: `${text} self.set` }]);
      await connectHostileDevice(product, {
        result: `{"content":${content},"isError":false}`,
      });
      const server = await startScriptedChatServer({
        turns({ messages, tools = [] }) {
          const wire = (end: string) =>
            tools.find(({ function: { name } }) => name.endsWith(end))?.function.name ?? end;
          const isRead = messages.some(({ role }) => role === 'tool');
          return isRead
            ? {
                toolCalls: Array.from({ length: 8 }, (_, at) => ({
                  name: wire('set'),
                  arguments: { ...values, at },
                })),
              }
            : {
                toolCalls: Array.from({ length: 4 }, (_, at) => ({
                  name: wire('note'),
                  arguments: { at },
                })),
              };
        },
      });
      try {
        const modelId = await addModel(product, server.baseUrl, false);
        const { id: sessionId } = await product.client.chat.create({
          options: { modelId, protocol: 'native', mode: 'auto' },
        });
        await product.client.chat.send({ sessionId, text: 'Go.' });
        for (;;) {
          const { entries } = await product.client.chat.get({ sessionId, limit: 1 });
          const last = entries.at(-1);
          if (last?.role === 'assistant' && last.calls.length === 8 && last.calls[7]?.state === 'waiting') return;
          if (last?.role === 'assistant' && last.failure) throw new Error(last.failure.message);
          await delay(50);
        }
      } finally {
        await server.close();
      }
    },
  };
}

const chain = (depth: number): object => {
  const $defs: Record<string, object> = { level0: { type: 'object' } };
  for (let level = 1; level <= depth; level++) {
    const $ref = `#/$defs/level${level - 1}`;
    $defs[`level${level}`] = { allOf: [{ $ref }, { $ref }] };
  }
  return { $ref: `#/$defs/level${depth}`, $defs };
};
const text = (schema: object): object => ({
  type: 'object',
  properties: { text: { type: 'string', ...schema } },
});
const results = 100;

/** The hostile inputs of devices, models and histories. */
export const attackCases: readonly AttackCase[] = [
  { what: 'nothing, for a second', bytes: 0, attack: () => delay(1_000) },
  {
    what: '20,000 device frames at once',
    bytes: 20_000 * 50,
    async attack(product) {
      const { socket, call } = await connectHostileDevice(product);
      for (let frame = 0; frame < 20_000; frame++) socket.send(`{"type":"listen","state":"detect","text":"${frame}"}`);
      await call();
    },
  },
  ...[large, largestParsed].flatMap((bytes) => {
    const size = `${bytes / 1_000_000} MB`;
    return [
      framesCase(`16 device frames of ${size} that are not JSON`, '{"a":'.repeat(bytes / 5)),
      replyCase(`a ${size} reply of words`, JSON.stringify('The lamp is on. '.repeat(bytes / 16))),
      replyCase(`a ${size} reply of control characters`, `"${'\\u001b'.repeat(bytes / 6)}"`),
      replyCase(`a ${size} reply of nested JSON text`, JSON.stringify('['.repeat(bytes))),
      replyCase(`a ${size} reply with one number of ${size}`, `"","n":${'9'.repeat(bytes)}`),
      replyCase(`a ${size} reply of 20-digit numbers`, `"","n":[${'12345678901234567890,'.repeat(bytes / 21)}1]`),
    ];
  }),
  schemaCase('a schema that doubles 30 times by $ref', chain(30), {}),
  schemaCase(
    '5,000 subschemas over 5,000 members',
    {
      type: 'object',
      additionalProperties: {
        anyOf: Array.from({ length: 5_000 }, (_, at) => ({ const: at })),
      },
    },
    Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`member${at}`, 'x'])),
  ),
  schemaCase('the pattern ^(a+)+$ over 40 characters', text({ pattern: '^(a+)+$' }), { text: `${'a'.repeat(40)}!` }),
  schemaCase('the pattern .*.*=.* over 100 kB', text({ pattern: '.*.*=.*' }), {
    text: 'x'.repeat(100_000),
  }),
  {
    what: 'a device of the network, not approved: 4 MB before its hello',
    bytes: large,
    async attack({ client, served }) {
      const address = Object.values(networkInterfaces())
        .flat()
        .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
      if (address === undefined) throw new Error('This machine has no address but its own loopback.');
      await client.settings.set({ openToNetwork: true });
      const otaUrl = new URL(served.device.otaUrl);
      otaUrl.hostname = address;
      const names = {
        'Device-Id': '02:00:00:00:00:02',
        'Client-Id': '7f2c0c6e-0000-4000-8000-0242ac120002',
      };
      const { url, token } = await askOta(otaUrl.href, names);
      const socket = new WebSocket(url, {
        headers: { ...names, Authorization: `Bearer ${token}` },
      });
      const closed = once(socket, 'close');
      socket.on('error', () => socket.terminate());
      await once(socket, 'open');
      socket.send(`{"type":"hello","version":1,"features":[${'{"a":[1]},'.repeat(large / 10)}1]}`);
      socket.send('{');
      await Promise.race([closed, delay(3_000)]);
      socket.terminate();
    },
  },
  chatCase('a native call of 500 kB of text in pieces of 8 characters', 500_000, 'native', {
    toolCalls: [
      {
        name: 'clock_get_time',
        arguments: { timezone: 'x'.repeat(500_000) },
      },
    ],
  }),
  chatCase('a native call of 500 kB of members', 500_000, 'native', {
    toolCalls: [
      {
        name: 'clock_get_time',
        arguments: Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 1])),
      },
    ],
  }),
  chatCase(
    '20,000 native calls in one answer',
    20_000 * 100,
    'native',
    {
      toolCalls: Array.from({ length: 20_000 }, () => ({
        name: 'clock_get_time',
      })),
    },
    { isRefused: true },
  ),
  // With 1 MB, the stream would have more than the 16 MB that are read.
  chatCase('an answer of 600 kB of opened calls, in pieces of 8 characters', 600_000, 'vcp', {
    text: '<<<[TOOL_REQUEST]>>>'.repeat(30_000),
  }),
  steeredCase('8 calls after results of words', 'The lamp is on. '),
  steeredCase('8 calls after results of U+3300, which expands', '\u3300'),
  steeredCase('8 calls after results of escapes within escapes', '\\u005cx41'),
  steeredCase('8 calls after results of 30,000 different characters', differentCharacters()),
  chatCase('a native call of 500 kB of empty lists', 500_000, 'native', {
    toolCalls: [
      {
        name: 'clock_get_time',
        arguments: { timezone: Array.from({ length: 165_000 }, () => []) },
      },
    ],
  }),
  ...hostileTexts(1_000_000).flatMap(([what, text]) => [
    chatCase(`an answer of 1 MB of ${what}`, text.length, 'json', { text }, { stream: false }),
    {
      what: `the Parser with 1 MB of ${what}`,
      bytes: text.length,
      attack: async ({ client }: Product) => void (await client.parser.parse({ text })),
    },
    {
      what: `all calls in 1 MB of ${what} run in the Parser`,
      bytes: text.length,
      attack: async ({ client }: Product) => void (await collectRun(client.parser.run({ runId: randomUUID(), text }))),
    },
  ]),
  ...hostileTexts(16_000).map(([what, text]) => ({
    what: `the Parser with 16 kB of ${what}`,
    bytes: text.length,
    attack: async ({ client }: Product) => void (await client.parser.parse({ text })),
  })),
  ...largeChatFiles(20_000_000).map(([what, text, isRefused]) => ({
    what: `a chat's file of ${what}: imported, read, exported`,
    bytes: text.length,
    attack: async ({ client }: Product) => useChatFile(client, text, isRefused),
  })),
  nearNamesCase(),
  {
    what: `a history search in ${results} results of 1 MB`,
    bytes: 1_000_000,
    async fill(dataDir) {
      const store = openStore({ path: join(dataDir, 'toolwire.db') });
      for (let at = 0; at < results; at++) await store.history.append(historyRow(at), { type: 'object' });
      await store.close();
    },
    attack: async ({ client }) => void (await client.calls.search({ text: 'none has this', limit: 500 })),
  },
];

/** A call of an unknown tool beside 32 modules with 1,000 methods, each name of 100 of the letters of the unknown one. */
function nearNamesCase(): AttackCase {
  const wanted = 'kitchen-lamp_self.audio_speaker.set_volume_of_all_the_rooms_'.padEnd(100, 'of_the_house_');
  const nameAt = (at: number): string =>
    Array.from(wanted, (_, place) => wanted[(place * 7 + at) % wanted.length])
      .join('')
      .replaceAll('.', '_');
  return {
    what: 'an unknown name beside 32,000 names of its letters',
    bytes: 32_000 * 100,
    async fill(dataDir) {
      await mkdir(join(dataDir, 'modules'));
      for (let module = 0; module < 32; module += 1) {
        const names = Array.from({ length: 1_000 }, (_, at) => `${nameAt(module * 1_000 + at)}${at}`);
        const text = `const method = { description: '', handler: () => 'done' };
          export default { methods: Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, method])) };`;
        await writeFile(join(dataDir, 'modules', `m${module}.js`), text);
      }
    },
    // The names are read into the index once, when they are first needed.
    async prepare({ client }) {
      while ((await listTools(client)).filter(({ source }) => source.kind === 'module').length < 32) await delay(500);
      await callUnknown(client, 'nothing_like_it');
    },
    attack: ({ client }) => callUnknown(client, wanted),
  };
}

async function callUnknown(client: Client, toolName: string): Promise<void> {
  const callId = randomUUID();
  await client.calls.execute({ callId, toolName, argsJson: '{}', origin: 'executor', timeoutMs: 20_000 });
}

/** Imports a chat, fetches all of it as a window does, exports it and removes it. */
async function useChatFile(client: Client, text: string, isRefused: boolean): Promise<void> {
  const imported = await client.chat.importChat(inPieces(text)).catch((error: unknown) => {
    if (!isRefused) throw error;
  });
  if (imported === undefined) return;
  for (let [afterRevision, more] = [0, true]; more;) {
    const page = await client.chat.get({ ...imported, afterRevision, limit: 200 });
    [afterRevision, more] = [page.revision, page.more];
  }
  await exportedFile(await client.chat.exportChat(imported));
  await client.chat.remove(imported);
}

/** Characters of two planes in an order without a pattern, and an escape. */
function differentCharacters(): string {
  const codes = Array.from({ length: 30_000 }, (_, at) => 0xa0 + ((at * 65_537 * 7) % 0x1_ff00));
  return `\\n${codes.map((code) => (code >= 0xd800 && code < 0xe000 ? 'x' : String.fromCodePoint(code))).join('')}`;
}

function historyRow(at: number): Parameters<ReturnType<typeof openStore>['history']['append']>[0] {
  return {
    callId: `call-${at}`,
    toolId: 'hostile',
    methodName: 'set',
    qualifiedName: 'hostile_set',
    source: { kind: 'device', id: 'hostile', label: 'hostile' },
    origin: 'executor',
    argsJson: '{}',
    startedAt: 1_700_000_000_000 + at,
    timeoutMs: 30_000,
    result: {
      requestId: `call-${at}`,
      toolName: 'hostile_set',
      status: 'success',
      durationMs: 1,
      result: 'ü'.repeat(1_000_000),
    },
  };
}
