import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const headings = readFileSync(join(root, 'docs/protocols', page), 'utf8').matchAll(/^#+ (.+)$/gm);
  return new Set(
    Array.from(headings, ([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** `page.md#section`, or `page.md` alone, for each reference in a folder's sources. */
function referencesIn(folder: string): { file: string; page: string; section: string | undefined }[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(ts|vue)$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, folder, file), 'utf8').replaceAll(/\n\s*(\*|\/\/) ?/g, ' ');
      const found = text.matchAll(/docs\/protocols\/([a-z-]+\.md)(?:#([a-z-]+))?/g);
      return Array.from(found, ([, page = '', section]) => ({ file: join(folder, file), page, section }));
    });
}

test.each(['src-core', 'renderer', 'electron', 'tests'])('%s cites only pages and sections that exist', (folder) => {
  const pages = new Map(readdirSync(join(root, 'docs/protocols')).map((page) => [page, anchorsOf(page)]));
  const broken = referencesIn(folder).filter(
    ({ page, section }) => !pages.has(page) || (section !== undefined && !pages.get(page)?.has(section)),
  );
  expect(broken).toEqual([]);
});

test('the sources of the engine cite every page', () => {
  const cited = new Set(referencesIn('src-core').map(({ page }) => page));
  expect([...cited].sort()).toEqual(['device-mcp.md', 'gateway.md', 'realtime.md', 'vcp.md', 'xiaozhi.md']);
});
