/**
 * `npm run bench [words] [-- --to=FILE]`: runs the benchmarks, prints their tables and, where all ran, writes
 * docs/benchmarks.md; with `--to` it writes those that ran to that file instead.
 */
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { cpus } from 'node:os';

interface Outcome {
  title: string;
  /** How it was measured, where the title does not tell. */
  note?: string;
  rows: Record<string, string | number>[];
  pass: boolean;
}

const here = new URL('.', import.meta.url);
const words = process.argv.slice(2).filter((word) => !word.startsWith('--to='));
const to = process.argv.find((word) => word.startsWith('--to='))?.slice('--to='.length);
const files = (await readdir(here)).filter((name) => name.endsWith('.bench.ts')).sort();
const chosen = files.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
const sections: string[] = [];
let pass = true;
for (const name of chosen) {
  const { run } = (await import(new URL(name, here).href)) as { run: () => Promise<Outcome | Outcome[]> };
  for (const outcome of [await run()].flat()) {
    pass &&= outcome.pass;
    const note = outcome.note === undefined ? '' : `${outcome.note}\n\n`;
    const text = `## ${outcome.title}\n\n${note}${table(outcome.rows)}\n\n${outcome.pass ? 'Every line holds.' : 'NOT every line holds.'}\n`;
    console.log(`\n${text}`);
    sections.push(text);
  }
}
if (to !== undefined || chosen.length === files.length) {
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
  const command = ['npm run bench', ...words].join(' ');
  const head = `# Benchmarks\n\n\`${command}\` on ${machine}. Every figure stands beside a peer or a floor measured in the same run.\n`;
  writeFileSync(to ?? new URL('../../docs/benchmarks.md', here), [head, ...sections].join('\n'));
}
process.exitCode = pass ? 0 : 1;

function table(rows: Record<string, string | number>[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(keys), line(keys.map(() => '---')), ...rows.map((row) => line(keys.map((key) => row[key] ?? '')))].join(
    '\n',
  );
}
