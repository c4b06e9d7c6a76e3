import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Literals that the analysis reports, and why each is allowed. Everything else in the sources has to be linear, also
 * in how often it begins again (`/\s+$/` looks at every end of a run of spaces from each of its characters).
 */
export const allowed = new Map<string, string>([
  [String.raw`/[\p{L}.]+$/u`, 'src-core/realtime/stations/sentenceAggregatorStation.ts: reads the last 20 characters'],
  [
    String.raw`/^[ \t]{0,3}#{1,6}[ \t]+([^]*?)(?:(?<![ \t])[ \t]+#+)?(?:(?<![ \t])[ \t]+)?$/`,
    'src-core/features/gateway/reply/cleanReply.ts: linear when measured (tests/bench/regularExpressions.bench.ts)',
  ],
  [
    String.raw`/^version (\d+)(.*)$/s`,
    'renderer/features/devices/doctor/wordFact.ts: never fails after the first digit',
  ],
]);

const folders = ['src-core', 'electron', 'renderer'];

/** Every regular expression literal in the sources, and the files it is in. */
export function literals(): Map<string, string[]> {
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
