const options = { modelId: 'scripted', protocol: 'native', mode: 'auto', systemPrompt: '', config: {} };

/** A user's message in a chat's file. */
export const messageOf = (at: number, text: string): object => ({ id: `m${at}`, role: 'user', createdAt: at, text });

/** A reply of the model in a chat's file with one call, whose error had such details. */
export function replyOf(at: number, { text = '', args = {}, result = 'x', details = {} }): object {
  const error = { code: 'failed', message: 'x', details };
  const outcome = { requestId: 'r', toolName: 'lab_get', status: 'error', result, durationMs: 1, error };
  const call = { id: 'c', requestId: 'r', toolName: 'lab_get', askedArgs: args, args, state: 'done', result: outcome };
  return {
    id: `m${at}`,
    role: 'assistant',
    createdAt: at,
    step: 1,
    state: 'ended',
    modelId: 'test',
    modelName: 'Test',
    protocol: 'native',
    text,
    calls: [call],
    replyTokens: 0,
    promptTokens: { system: 0, tools: 0, history: 0, message: 0, total: 0 },
  };
}

/** The text of a chat's file with these entries. */
export function chatFileOf(entries: readonly object[]): string {
  const exportedAt = '2026-01-31T12:00:00.000Z';
  return JSON.stringify({ format: 'toolwire-chat', version: 1, exportedAt, title: 'Large', options, entries });
}

/** A file of almost so many characters with as many entries as fit. */
function fileOfMany(characters: number, entryOf: (at: number) => object): string {
  const count = Math.min(9_999, Math.floor((characters * 0.99) / (JSON.stringify(entryOf(9_999)).length + 1)));
  return chatFileOf(Array.from({ length: count }, (_, at) => entryOf(at)));
}

const words = 'The lamp is "on".\n厨房的灯已打开。 ';

/** Files of up to so many characters, 20,000,000 at most, by what they consist of; the last ones are refused. */
export function largeChatFiles(characters: number): [what: string, text: string, isRefused: boolean][] {
  const values = Array<object>(500_000).fill({});
  return [
    [
      'calls with arguments and results',
      fileOfMany(characters, (at) =>
        replyOf(at, { text: words.repeat(30), args: { at, text: words }, result: words.repeat(30) }),
      ),
      false,
    ],
    ['10,000 short messages', fileOfMany(characters, (at) => messageOf(at, words)), false],
    ['messages of 1.9 MB', fileOfMany(characters, (at) => messageOf(at, 'The lamp is on. '.repeat(120_000))), false],
    ['messages of escapes', fileOfMany(characters, (at) => messageOf(at, '\u0000"\\'.repeat(250_000))), false],
    [
      'calls of 15,000 arguments',
      fileOfMany(characters, (at) => replyOf(at, { args: { list: Array<number>(15_000).fill(1) }, result: words })),
      false,
    ],
    [
      'details of 9,900 values',
      fileOfMany(characters, (at) => replyOf(at, { details: { list: Array(9_900).fill(0) } })),
      false,
    ],
    ['more values than an entry may have', chatFileOf([replyOf(1, { details: { values } })]), true],
    ['opening brackets', '['.repeat(characters), true],
    ['no JSON', `{"format":"${'x'.repeat(characters)}`, true],
  ];
}
