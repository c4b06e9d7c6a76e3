import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = globSync('renderer/**/*.vue');
const styles = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/<style( scoped)?>([^]*?)<\/style>/g)].map(([, scoped, css = '']) => ({
    file,
    scoped: scoped !== undefined,
    css: css.replaceAll(/\/\*[^]*?\*\//g, ''),
  })),
);

/** The classes that have a rule by themselves: not inside, beside or together with another one. */
function classesOf(css: string): string[] {
  const lists = [...css.matchAll(/^([^{}@]+)\{/gm)].map(([, list = '']) => list.replaceAll(/\([^()]*\)/g, ''));
  return lists.flatMap((list) => list.split(',')).flatMap((selector) => /^\s*(\.[\w-]+)\s*$/.exec(selector)?.[1] ?? []);
}

test('a class that a component styles for itself is not styled by another one for the whole window', () => {
  const ofAll = new Map(
    styles.filter(({ scoped }) => !scoped).flatMap(({ file, css }) => classesOf(css).map((name) => [name, file])),
  );
  const clashes = styles
    .filter(({ scoped }) => scoped)
    .flatMap(({ file, css }) => [...new Set(classesOf(css))].map((name) => ({ name, file, other: ofAll.get(name) })))
    .filter(({ file, other }) => other !== undefined && other !== file);
  expect(clashes).toEqual([]);
});
