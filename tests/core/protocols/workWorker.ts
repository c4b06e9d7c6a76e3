/** Parses texts and posts how much work each list of them took. */
import { Session } from 'node:inspector/promises';
import { parentPort } from 'node:worker_threads';

import { detectProtocol } from '../../../src-core/protocols/detectProtocol.ts';
import { parseJsonCalls } from '../../../src-core/protocols/json/parseJsonCalls.ts';
import { createVcpParser } from '../../../src-core/protocols/vcp/createVcpParser.ts';
import type { WorkRequest } from './measureWork.ts';

const folder = new URL('../../../src-core/protocols/', import.meta.url).href;
let passed = 0;

/** Counts the characters that a method of strings passes over. */
function count(name: keyof string, charactersOf: (text: string, args: unknown[], result: unknown) => number): void {
  const original = String.prototype[name as 'at'] as (...args: unknown[]) => unknown;
  Object.defineProperty(String.prototype, name, {
    value(this: string, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      passed += charactersOf(this, args, result);
      return result;
    },
  });
}

const whole = (text: string): number => text.length;
for (const name of ['trim', 'trimEnd', 'toLowerCase', 'toUpperCase', 'replace', 'replaceAll', 'normalize'] as const)
  count(name, whole);
for (const name of ['lastIndexOf', 'includes', 'matchAll'] as const) count(name, whole);
count('slice', (_, __, result) => (result as string).length);
count(
  'indexOf',
  (text, [, from = 0], result) => ((result as number) < 0 ? text.length : (result as number)) - (from as number),
);
for (const name of ['startsWith', 'endsWith'] as const) count(name, (_, [needle]) => (needle as string).length);

const { exec } = RegExp.prototype;
/** Like the method itself; a sticky expression looks no further than it matches. */
RegExp.prototype.exec = function (this: RegExp, text: string) {
  const from = this.global || this.sticky ? this.lastIndex : 0;
  const found = exec.call(this, text);
  if (found !== null) passed += found.index + found[0].length - from;
  else if (!this.sticky) passed += text.length - from;
  return found;
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
// Each answer counts from the one before it.
await session.post('Profiler.takePreciseCoverage');

parentPort?.on('message', (request: WorkRequest) => {
  void measure(request).then((work) => parentPort?.postMessage(work));
});

async function measure({ texts, reader, chunk }: WorkRequest): Promise<number> {
  passed = 0;
  for (const text of texts) {
    if (reader === 'json') parseJsonCalls(text, { newId: () => 'n' });
    else if (reader === 'auto') detectProtocol(text);
    else {
      const parser = createVcpParser({ dialect: reader });
      for (let at = 0; at < text.length; at += chunk) parser.feed(text.slice(at, at + chunk));
      parser.end();
    }
  }
  const characters = passed;
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const blocks = result
    .filter(({ url }) => url.startsWith(folder))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map((range) => range.count)));
  return blocks.reduce((sum, runs) => sum + runs, characters);
}
