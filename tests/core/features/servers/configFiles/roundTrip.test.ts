import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';

import { parseExactly } from '../../../../../src-core/base/exactNumber.ts';
import { readJsonc } from '../../../../../src-core/base/jsoncText.ts';
import { readServerConfigs } from '../../../../../src-core/features/servers/configFiles/readServerConfigs.ts';
import { exportFormats, type ExportFormat } from '../../../../../src-core/contract/servers.ts';
import { writeServerConfigs } from '../../../../../src-core/features/servers/configFiles/writeServerConfigs.ts';
import { configFixtures, fixtureText } from './configFixtures.ts';

/** Members in one order; exact numbers as they are written. */
function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}

describe.each(exportFormats)('the example of %s', (format: ExportFormat) => {
  const { path } = configFixtures[format];
  const read = readServerConfigs(fixtureText(format), path);

  test('is recognised and read without an error', () => {
    expect(read.format).toBe(format);
    expect(read.problems.filter(({ level }) => level === 'error')).toEqual([]);
    expect(read.servers.length).toBeGreaterThan(1);
  });

  test('is recognised without its name if its content shows the host', () => {
    // Its text ${HOME} would be a variable in the file of Claude Code.
    const expected = format === 'claude-desktop' ? 'claude-code' : format;
    expect(readServerConfigs(fixtureText(format)).format).toBe(expected);
  });

  test('is the same after import and export', () => {
    const written = writeServerConfigs(read.servers, format);
    expect(written.problems).toEqual([]);
    if (format === 'codex') {
      const before = parse(fixtureText(format), { integersAsBigInt: true })['mcp_servers'];
      expect(parse(written.text, { integersAsBigInt: true })['mcp_servers']).toEqual(before);
    } else {
      const before = readJsonc(fixtureText(format)).value;
      expect(normal(parseExactly(written.text))).toEqual(normal(before));
    }
    expect(written.text).not.toContain('9007199254740992');
  });

  test('is the same after export and import', () => {
    const again = readServerConfigs(writeServerConfigs(read.servers, format).text, path);
    expect(normal(again.servers)).toEqual(normal(read.servers));
  });

  test('keeps commands, URLs and the names of variables in every other format', () => {
    for (const target of exportFormats) {
      const written = writeServerConfigs(read.servers, target);
      const again = readServerConfigs(written.text, configFixtures[target].path);
      const left = written.problems.flatMap(({ level, server }) => (level === 'error' ? [server] : []));
      expect(again.problems.filter(({ level }) => level === 'error')).toEqual([]);
      expect(again.servers.map(({ name }) => name).sort()).toEqual(
        read.servers.flatMap(({ name }) => (left.includes(name) ? [] : [name])).sort(),
      );
    }
  });
});

const name = fc
  .oneof(fc.stringMatching(/^[\w .-]{1,12}$/), fc.constantFrom('__proto__', 'constructor', 'a.b', '中文'))
  .filter((each) => each.trim() !== '');
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('${HOME}', '${X:-y}', '${env:A}', '${input:b}', ''),
);
const texts = fc.dictionary(name, text, { maxKeys: 3 });
const number = fc.oneof(
  fc.constantFrom('9007199254740993', '1.0', '-0', '1e400', '0.10', '12345678901234567890.5'),
  fc.integer().map(String),
);
const unknownValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ maxLength: 8 }).map((each) => JSON.stringify(each)),
    number,
    fc.constantFrom('true', 'false', 'null', '[]', '{}'),
    fc.array(tie('value') as fc.Arbitrary<string>, { maxLength: 3 }).map((items) => `[${items.join()}]`),
  ),
})).value;
const extra = fc.dictionary(fc.stringMatching(/^x-[a-z]{1,6}$/), unknownValue, { maxKeys: 3 });
const program = fc.record(
  {
    type: fc.constant('stdio'),
    command: fc.string({ minLength: 1, maxLength: 20 }).filter((each) => each.trim() !== ''),
    args: fc.array(text, { maxLength: 4 }),
    env: texts,
    cwd: text,
    disabled: fc.boolean(),
    timeout: fc.integer({ min: 1, max: 1e9 }),
  },
  { requiredKeys: ['command'] },
);
const remote = fc.record(
  {
    type: fc.constantFrom('http', 'streamable-http', 'streamableHttp', 'sse', 'ws', 'HTTP'),
    url: fc.constantFrom('https://example.com/mcp', 'http://127.0.0.1:8080/x?y=1', 'wss://example.com/a'),
    headers: texts,
    disabled: fc.boolean(),
    timeout: fc.integer({ min: 1, max: 1e9 }),
  },
  { requiredKeys: ['url'] },
);

/** The JSON of an entry, with unknown fields whose numbers are as they are written. */
const entry = fc.tuple(fc.oneof(program, remote), extra).map(([known, unknown]) => {
  const members = [
    ...Object.entries(known).map(([key, value]) => [key, JSON.stringify(value)]),
    ...Object.entries(unknown),
  ];
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`;
});
const entries = fc.uniqueArray(fc.tuple(name, entry), { selector: ([each]) => each, minLength: 1, maxLength: 3 });

describe('any file', () => {
  test.each(['claude-desktop', 'claude-code', 'cursor', 'cline', 'vscode', 'mcp-pipe'] as const)(
    'of %s is the same after import and export, and after export and import',
    (format) => {
      const key = format === 'vscode' ? 'servers' : 'mcpServers';
      fc.assert(
        fc.property(entries, (list) => {
          const source = `{"${key}":{${list.map(([each, its]) => `${JSON.stringify(each)}:${its}`).join()}}}`;
          const read = readServerConfigs(source, configFixtures[format].path);
          expect(read.problems).toEqual([]);
          const { text: written } = writeServerConfigs(read.servers, format);
          // A dictionary sets its prototype with __proto__, so the texts are compared by their exact reading.
          expect(sortedText(written)).toBe(sortedText(source));
          expect(readServerConfigs(written, configFixtures[format].path).servers).toEqual(read.servers);
        }),
        { numRuns: 150 },
      );
    },
  );

  test('of Codex is the same after export and import', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const source = `{"mcpServers":{${list.map(([each, its]) => `${JSON.stringify(each)}:${its}`).join()}}}`;
        const { servers } = readServerConfigs(source, 'claude_desktop_config.json');
        const first = readServerConfigs(writeServerConfigs(servers, 'codex').text, 'config.toml');
        const again = readServerConfigs(writeServerConfigs(first.servers, 'codex').text, 'config.toml');
        expect(again.servers).toEqual(first.servers);
        expect(first.servers.map((each) => each.name).sort()).toEqual(servers.map((each) => each.name).sort());
      }),
      { numRuns: 100 },
    );
  });

  test('is never an exception, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 200 }), fc.json()),
        fc.option(fc.constantFrom('a.toml', 'mcp.json')),
        (given, file) => {
          const { servers, problems } = readServerConfigs(given, file ?? undefined);
          expect(servers.length + problems.length).toBeGreaterThanOrEqual(0);
          expect(problems.every(({ message }) => message.text !== '')).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function sortedText(json: string): string {
  const sort = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sort);
    if (typeof value !== 'object' || value === null || JSON.stringify(value)[0] !== '{') return value;
    const result = Object.create(null) as Record<string, unknown>;
    for (const key of Object.keys(value).sort()) result[key] = sort((value as Record<string, unknown>)[key]);
    return result;
  };
  return JSON.stringify(sort(readJsonc(json).value));
}
