import { expect, test } from 'vitest';

import { writeExact } from '../../../../src-core/base/exactJson.ts';
import { environmentSchema, savedCallSchema } from '../../../../src-core/features/collections/format.ts';
import { readText } from '../../../../src-core/features/collections/readCollection.ts';

const callText = (more: string): string => `{"name":"x","tool":"t",${more}}`;

test('an argument __proto__ stays, as every other does', () => {
  const args = '{"__proto__":{"a":1},"b":2}';
  const { value } = readText(callText(`"arguments":${args}`), savedCallSchema);
  expect(writeExact(value!.arguments)).toBe(args);
});

test.each(['1e400', '[]', 'null', '"{}"'])('%s can be no arguments', (args) => {
  const { problem } = readText(callText(`"arguments":${args}`), savedCallSchema);
  expect(problem).toBe('"arguments" must be an object.');
});

test('reports a variable named __proto__', () => {
  const extract = readText(callText('"arguments":{},"extract":{"__proto__":"$.a"}'), savedCallSchema);
  expect(extract.problem).toBe('"extract" must not have a member "__proto__".');
  const { problem } = readText('{"variables":{"a":1,"__proto__":2}}', environmentSchema);
  expect(problem).toBe('"variables" must not have a member "__proto__".');
});

test('of what is extracted there is an end', () => {
  const paths = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, '$'])));
  expect(readText(callText(`"arguments":{},"extract":${paths(100)}`), savedCallSchema).problem).toBeUndefined();
  expect(readText(callText(`"arguments":{},"extract":${paths(101)}`), savedCallSchema).problem).toContain(
    'at most 100',
  );
});
