import { expect, test } from 'vitest';

import type { ToolProgress } from '../../../../src-core/base/toolTypes.ts';
import { moduleOf, openModuleFolder } from './moduleFolder.ts';

const returns: [what: string, body: string, value: unknown][] = [
  ['text', 'return "héllo\\u2028"', 'héllo\u2028'],
  ['nothing', '', null],
  ['a promise', 'return Promise.resolve([1, { a: null }])', [1, { a: null }]],
  ['a date, as JSON has it', 'return new Date(0)', '1970-01-01T00:00:00.000Z'],
  ['an object of its own class', 'return new (class P { x = 1; f() {} })()', { x: 1 }],
];

test.each(returns)('returns %s', async (_what, body, value) => {
  const { call } = await openModuleFolder({ 'a.js': moduleOf(body) });
  expect(await call('a', 'run')).toEqual({ value });
});

const failures: [what: string, body: string, info: object][] = [
  [
    'throws',
    'throw new TypeError("no such city")',
    {
      code: 'tool-error',
      message: 'no such city',
      details: {
        location: expect.stringMatching(/^a\.js:2:/),
        // Nothing of the frames of Toolwire itself.
        trace: expect.stringMatching(/^TypeError: no such city\n {4}at (?:[\w.]+ \()?a\.js:2:\d+\)?$/),
      },
    },
  ],
  [
    'throws far down',
    'const down = (n) => n === 0 ? null.x : down(n - 1); return down(50)',
    {
      code: 'tool-error',
      details: { trace: expect.stringMatching(/^TypeError: .+(?:\n {4}at down \(a\.js:2:\d+\)){10}$/) },
    },
  ],
  [
    'throws an Error that throws when it is looked at',
    'throw Object.defineProperty(new Error("odd"), "name", { get() { throw 1; } })',
    { code: 'tool-error', message: 'odd' },
  ],
  ['rejects with text', 'return Promise.reject("plain")', { code: 'tool-error', message: 'plain' }],
  ['throws something without a text', 'throw { get message() { throw 1; } }', { code: 'tool-error' }],
  [
    'returns a ring',
    'const o = {}; o.o = o; return o',
    { code: 'bad-result', message: expect.stringContaining('circular') },
  ],
  ['returns a function', 'return () => 1', { code: 'bad-result', message: expect.stringContaining('function') }],
  [
    'returns too much',
    'return "x".repeat(2000)',
    { code: 'result-too-large', message: expect.stringContaining('1,000 are allowed') },
  ],
  [
    'exits',
    'process.exit(3)',
    { code: 'tool-error', message: expect.stringMatching(/exit code 3/), details: { crashed: true } },
  ],
  [
    'crashes outside of its handler',
    'setTimeout(() => { throw new Error("late") }); return new Promise(() => {})',
    {
      code: 'tool-error',
      message: expect.stringMatching(/crashed outside of its handlers: late/),
      details: {
        crashed: true,
        location: expect.stringMatching(/^a\.js:2:/),
        trace: expect.stringMatching(/^Error: late\n {4}at /),
      },
    },
  ],
  [
    'throws null outside of itself',
    'setTimeout(() => { throw null; }); return new Promise(() => {})',
    { code: 'tool-error', message: expect.stringMatching(/crashed outside of its handlers: null/) },
  ],
  [
    'bends JSON.stringify',
    'JSON.stringify = () => "no json"; return 1',
    { code: 'protocol-error', message: expect.stringMatching(/sent an invalid answer/) },
  ],
  [
    'leaves a rejection',
    'Promise.reject(new Error("unseen")); return new Promise(() => {})',
    { code: 'tool-error', message: expect.stringMatching(/unseen/) },
  ],
  [
    'fills its memory',
    'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))',
    { code: 'tool-error', message: expect.stringMatching(/more than its 32 MB/) },
  ],
];

test.each(failures)('a handler that %s ends its call alone, and the next call works', async (_what, body, info) => {
  const { call } = await openModuleFolder(
    { 'a.js': moduleOf(`if (args.again) return 'fine'; ${body}`) },
    { limits: { maxHeapMb: 32, maxResultLength: 1000 } },
  );
  await expect(call('a', 'run')).rejects.toMatchObject({ info });
  expect(await call('a', 'run', { again: true })).toEqual({ value: 'fine' });
});

test('ten megabytes come across whole', async () => {
  const { call } = await openModuleFolder({ 'a.js': moduleOf('return "x".repeat(10_000_000)') });
  expect(((await call('a', 'run')).value as string).length).toBe(10_000_000);
});

test('an endless loop is ended when its signal aborts', async () => {
  const { call } = await openModuleFolder({
    'a.js': moduleOf("if (args.again) return 'fine'; onProgress({ progress: 0 }); for (;;);"),
  });
  const controller = new AbortController();
  const looping = call('a', 'run', {}, { signal: controller.signal, onProgress: () => controller.abort() });
  await expect(looping).rejects.toMatchObject({ code: 'cancelled' });
  expect(await call('a', 'run', { again: true })).toEqual({ value: 'fine' });
});

test('a call that comes right after a cancelled endless loop waits for a thread that works', async () => {
  const { call } = await openModuleFolder({
    'a.js': moduleOf("if (args.again) return 'fine'; onProgress({ progress: 0 }); for (;;);"),
  });
  const controller = new AbortController();
  const again = Promise.withResolvers<unknown>();
  const looping = call(
    'a',
    'run',
    {},
    {
      signal: controller.signal,
      onProgress() {
        controller.abort();
        again.resolve(call('a', 'run', { again: true }));
      },
    },
  );
  await expect(looping).rejects.toMatchObject({ code: 'cancelled' });
  expect(await again.promise).toEqual({ value: 'fine' });
});

test('calls run at once in one thread; ending one by force ends the others with a reason', async () => {
  const { call } = await openModuleFolder({
    'a.js': `let calls = 0;
      export default { methods: {
        wait: { description: 'x', handler(_, { onProgress }) { calls++; onProgress({ progress: calls }); return new Promise(() => {}); } },
        loop: { description: 'x', handler(_, { onProgress }) { onProgress({ progress: calls }); for (;;); } },
        count: { description: 'x', handler() { return calls; } },
      } };`,
  });
  const waiting = Promise.withResolvers<undefined>();
  const other = call('a', 'wait', {}, { onProgress: () => waiting.resolve(undefined) });
  await waiting.promise;
  expect(await call('a', 'count')).toEqual({ value: 1 });
  const controller = new AbortController();
  const looping = call('a', 'loop', {}, { signal: controller.signal, onProgress: () => controller.abort() });
  await Promise.all([
    expect(looping).rejects.toMatchObject({ code: 'cancelled' }),
    expect(other).rejects.toMatchObject({
      code: 'disconnected',
      message: expect.stringMatching(/"wait" ended because "loop"/),
    }),
  ]);
  expect(await call('a', 'count')).toEqual({ value: 0 });
});

test('a handler that heeds its signal keeps its thread, and the other calls in it', async () => {
  const { call } = await openModuleFolder(
    {
      'a.js': `let aborted = 0; let release;
      export default { methods: {
        polite: { description: 'x', handler(_, { signal, onProgress }) {
          onProgress({ progress: 1 });
          return new Promise((_, reject) => signal.addEventListener('abort', () => { aborted++; reject(new Error('stopped')); }));
        } },
        wait: { description: 'x', handler() { return new Promise((resolve) => { release = resolve; }); } },
        finish: { description: 'x', handler() { release(aborted); } },
      } };`,
    },
    { limits: { abortGraceMs: 20_000 } },
  );
  const other = call('a', 'wait');
  const controller = new AbortController();
  const polite = call('a', 'polite', {}, { signal: controller.signal, onProgress: () => controller.abort() });
  await expect(polite).rejects.toMatchObject({ code: 'cancelled' });
  await call('a', 'finish');
  expect(await other).toEqual({ value: 1 });
});

test('a call that is aborted before it begins never runs', async () => {
  const { call } = await openModuleFolder({
    'a.js': moduleOf('if (args.count) return runs; runs++;', 'let runs = 0;'),
  });
  await expect(call('a', 'run', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  expect(await call('a', 'run', { count: true })).toEqual({ value: 0 });
});

test('progress arrives in order, thinned, never more than was told', async () => {
  const { call } = await openModuleFolder({
    'a.js': moduleOf("for (let i = 1; i <= 10_000; i++) onProgress({ progress: i, total: 10_000, message: 'step' });"),
  });
  const seen: ToolProgress[] = [];
  await call('a', 'run', {}, { onProgress: (progress) => seen.push(progress) });
  expect(seen[0]).toEqual({ progress: 1, total: 10_000, message: 'step' });
  expect(seen.length).toBeLessThan(1000);
  expect(seen.map(({ progress }) => progress)).toEqual(seen.map(({ progress }) => progress).sort((a, b) => a - b));
});

test('a module cannot read the environment variables', async () => {
  process.env['TOOLWIRE_TEST_SECRET'] = 's3cret';
  try {
    const { call } = await openModuleFolder({ 'a.js': moduleOf('return { ...process.env };') });
    expect(await call('a', 'run')).toEqual({ value: {} });
  } finally {
    delete process.env['TOOLWIRE_TEST_SECRET'];
  }
});

test('what a module posts to its parent by itself disturbs nothing', async () => {
  const { call } = await openModuleFolder({
    'a.js': moduleOf(
      'parentPort.postMessage({ type: "done", id: 1, json: "{" }); return Object.keys(workerData);',
      'import { parentPort, workerData } from "node:worker_threads"; parentPort.postMessage(null);',
    ),
  });
  expect(await call('a', 'run')).toEqual({ value: ['file', 'folder', 'maxResultLength'] });
});

test.each([
  'null',
  '7',
  '{ type: "error", id: 1 }',
  '{ type: "done", id: 1 }',
  '{ type: "progress", id: 1 }',
  '{ type: "loaded", module: 5 }',
  '{ type: "imported", file: {} }',
  '{ type: "failed" }',
])('%s on the line of our own ends the module’s thread, not the program', async (message) => {
  const { call } = await openModuleFolder({
    'a.js': moduleOf(
      `if (args.again) return 'fine'; post.call(line, ${message}); return new Promise(() => {});`,
      `import { MessagePort } from 'node:worker_threads';
       const post = MessagePort.prototype.postMessage;
       let line;
       MessagePort.prototype.postMessage = function (message) { line = this; return post.call(this, message); };`,
    ),
  });
  await expect(call('a', 'run')).rejects.toMatchObject({ info: { code: 'protocol-error' } });
  expect(await call('a', 'run', { again: true })).toEqual({ value: 'fine' });
});

test('an unknown method is an error with its own code', async () => {
  const { call } = await openModuleFolder({ 'a.js': moduleOf('') });
  await expect(call('a', 'toString')).rejects.toMatchObject({ code: 'unknown-method' });
});

test('closing ends a call that runs', async () => {
  const { call, loader } = await openModuleFolder({ 'a.js': moduleOf('onProgress({ progress: 1 }); for (;;);') });
  const begun = Promise.withResolvers<undefined>();
  const looping = call('a', 'run', {}, { onProgress: () => begun.resolve(undefined) });
  await begun.promise;
  const message = 'The module file "a.js" was deleted, moved or renamed, or Toolwire is closing.';
  const info = { details: { kind: 'module' } };
  const ended = expect(looping).rejects.toMatchObject({ code: 'disconnected', message, info });
  await loader.close();
  await ended;
});
