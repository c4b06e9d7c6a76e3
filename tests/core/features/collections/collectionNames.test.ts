/** Names of files that a collection gets: every system must take them, since a team checks them out. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { portabilityProblem } from '../../../../src-core/features/collections/portableName.ts';
import { collectionWith } from './folders.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';

async function openedWith(folder: string): Promise<Workbench['services']['collections']> {
  const { collections } = (await openWorkbench()).services;
  await collections.open({ folder });
  return collections;
}

test.each(['Aux', 'CON', 'nul', 'com1', 'LPT³', 'con.x', '𠮷'.repeat(100), `a${'𠮷'.repeat(100)}`, '说明'.repeat(100)])(
  'one called %s gets a file that every system takes, and is listed by it',
  async (name) => {
    const folder = collectionWith({});
    const collections = await openedWith(folder);
    const short = name.slice(0, 200).toWellFormed();
    const files = [];
    for (let i = 0; i < 2; i++) {
      const saved = await collections.saveCall({
        folder,
        draft: { name: short, tool: 'clock_get_time', argsJson: '{}', assertions: [] },
      });
      files.push(saved.saved && saved.file);
    }
    expect(new Set(files).size).toBe(2);
    expect((await collections.list())[0]!.calls.map(({ file }) => file).sort()).toEqual(files.sort());
    for (const file of files) expect(portabilityProblem(String(file))).toBeUndefined();
  },
);

describe('environments that could not be checked out everywhere', () => {
  test.each(['dev?', 'a*b', 'con', 'Com1.live', 'x\ny', 'a<b', '环'.repeat(90), 'half \ud842'])(
    '%j is refused',
    async (environment) => {
      const folder = collectionWith({}, { 'environments/live.json': { variables: {} } });
      const collections = await openedWith(folder);
      for (const version of [undefined, null, ''])
        await expect(
          collections.saveVariables({
            folder,
            environment,
            variablesJson: '{}',
            ...(version !== undefined && { version }),
          }),
        ).rejects.toMatchObject({
          field: 'environment',
          message: expect.stringContaining('cannot be a file name') as string,
        });
      expect(readdirSync(join(folder, 'environments'))).toEqual(['live.json']);
      expect(await collections.variables({ folder, environment })).toMatchObject({ version: '', variablesJson: '{}' });
    },
  );

  test('one that is there already can be saved and removed, and a long one that fits is written', async () => {
    const folder = collectionWith({}, { 'environments/aux.json': { variables: {} } });
    const collections = await openedWith(folder);
    const save = { folder, environment: 'aux', variablesJson: '{"a":1}' };
    expect(await collections.saveVariables(save)).toMatchObject({ saved: true });
    const environment = '环'.repeat(80);
    expect(await collections.saveVariables({ ...save, environment, version: '' })).toMatchObject({ saved: true });
    expect((await collections.list())[0]!.environments).toMatchObject([{ name: 'aux' }, { name: environment }]);
    await collections.removeEnvironment(save);
    expect(readdirSync(join(folder, 'environments'))).toHaveLength(1);
  });
});
