import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * Literals that take more than linear time, and why each is allowed. Everything else in the sources has to be linear, also
 * in how often it begins again (`/\s+$/` looks at every end of a run of spaces from each of its characters).
 */
const allowed = new Map<string, string>([
  [String.raw`/[\p{L}.]+$/u`, 'src-core/realtime/stations/sentenceEnd.ts: reads the last 20 characters'],
  // replies of the gateway: fixed separately
  [String.raw`/[ \t]+$/gm`, 'src-core/gateway/reply/cleanReply.ts'],
  ['/^[ \\t]{0,3}(?:`{3,}|~{3,})[^\\n`]*$/', 'src-core/gateway/reply/stripMarkdown.ts'],
  [String.raw`/^[ \t]{0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/`, 'src-core/gateway/reply/stripMarkdown.ts'],
  ['/(`+)([^`]+)\\1(?!`)|\\uE000/g', 'src-core/gateway/reply/stripMarkdown.ts'],
]);

const folders = ['src-core', 'electron', 'renderer'];

/** Every literal in the sources, and the files it is in. */
function literals(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(ts|vue)$/.test(name)) continue;
      const file = join(folder, name);
      for (const literal of literalsOf(file)) found.set(literal, [...(found.get(literal) ?? []), file]);
    }
  }
  return found;
}

function literalsOf(file: string): string[] {
  const source = ts.createSourceFile(file, scriptOf(file), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function scriptOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.vue')) return text;
  return [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join('\n');
}

function isLinear(literal: string): boolean {
  const end = literal.lastIndexOf('/');
  return analyse({ source: literal.slice(1, end), flags: literal.slice(end + 1) }).reports.length === 0;
}

test('the analysis finds quadratic and exponential expressions', () => {
  for (const literal of ['/\\s+$/', '/^(a+)+$/', '/^\\d*1?\\d*$/', '/a*b/g']) expect(isLinear(literal)).toBe(false);
  for (const literal of ['/\\s$/', '/^a+$/', '/a+/g']) expect(isLinear(literal)).toBe(true);
});

test('every regular expression of the sources takes linear time', () => {
  const all = literals();
  expect(all.size).toBeGreaterThan(200);
  const slow = [...all].filter(([literal]) => !isLinear(literal) && !allowed.has(literal));
  expect(slow).toEqual([]);
}, 120_000);
