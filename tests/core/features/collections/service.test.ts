import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { SavedCallDraft } from '../../../../src-core/contract/types.ts';
import { RequestError } from '../../../../src-core/base/requestError.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { collectionWith, folderWith, put } from './folders.ts';
import { dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';

const two = { first: { tool: 'clock_get_time' }, second: { tool: 'clock_get_time' } };
const draft = (part: Partial<SavedCallDraft> = {}): SavedCallDraft => ({
  name: 'Tell the time',
  tool: 'clock_get_time',
  argsJson: '{"id":9007199254740993}',
  assertions: [],
  ...part,
});

async function openedWith(
  folder: string,
): Promise<{ workbench: Workbench; collections: Workbench['services']['collections'] }> {
  const workbench = await openWorkbench();
  const { collections } = workbench.services;
  expect(await collections.open({ folder })).toEqual({ folder });
  return { workbench, collections };
}

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

describe('folders', () => {
  test('an open one is listed with its calls in their order, and again after a restart; its files are left alone', async () => {
    const dataDir = dataFolder();
    const folder = collectionWith({ zebra: two.first, ant: two.second });
    const files = readdirSync(folder);
    const before = await openWorkbench({ dataDir });
    await before.services.collections.open({ folder });
    await before.services.collections.open({ folder });
    await before.close();

    const { collections } = (await openWorkbench({ dataDir })).services;
    const views = await collections.list();
    expect(views).toMatchObject([{ folder, name: 'Lab', calls: [{ name: 'zebra' }, { name: 'ant' }], problems: [] }]);
    await collections.close({ folder });
    expect(await collections.list()).toEqual([]);
    expect(readdirSync(folder)).toEqual(files);
  });

  test('what its files confirm counts once the user trusts it, until it is closed', async () => {
    const dataDir = dataFolder();
    mkdirSync(join(dataDir, 'modules'), { recursive: true });
    put(
      join(dataDir, 'modules'),
      'board.js',
      `export default { methods: { reboot: { description: 'x', danger: 'It restarts.', handler: () => 'done' } } };`,
    );
    const folder = collectionWith({ reboot: { tool: 'board_reboot', confirm: true } });
    const { services, features } = await openWorkbench({ dataDir });
    const { collections, tools } = services;
    await tools.whenLoaded();
    const run = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { verdict, trouble } of features.collections.runCalls({ folder }))
        found.push(trouble ?? verdict);
      return found;
    };
    await collections.open({ folder });
    expect(await collections.list()).toMatchObject([{ trusted: false, confirming: 1 }]);
    expect(await run()).toEqual(['asks-first']);
    collections.trust({ folder, trusted: true });
    expect(await collections.list()).toMatchObject([{ trusted: true }]);
    expect(await run()).toEqual(['passed']);
    collections.trust({ folder, trusted: false });
    expect(await run()).toEqual(['asks-first']);
    collections.trust({ folder, trusted: true });
    await collections.close({ folder });
    expect(() => collections.trust({ folder, trusted: true })).toThrow('is not open');
    await collections.open({ folder });
    expect(await run()).toEqual(['asks-first']);
  });

  test('one that was made here is trusted, not one whose calls lay there already', async () => {
    const { collections } = (await openWorkbench()).services;
    await collections.create({ folder: folderWith({}), name: 'Mine' });
    await collections.create({
      folder: folderWith({ 'x.call.json': { name: 'x', tool: 't', arguments: {} } }),
      name: 'Theirs',
    });
    expect(await collections.list()).toMatchObject([
      { name: 'Mine', trusted: true },
      { name: 'Theirs', trusted: false },
    ]);
  });

  test('what is not a collection, no whole path or not open is refused, with the field', async () => {
    const { collections } = (await openWorkbench()).services;
    const folder = collectionWith(two);
    const field = { field: 'folder' };
    await expect(collections.open({ folder: 'lab' })).rejects.toMatchObject(field);
    await expect(collections.open({ folder: join(folder, 'nowhere') })).rejects.toMatchObject(field);
    await expect(collections.open({ folder: folderWith({}) })).rejects.toThrow('no toolwire.json');
    await expect(collections.open({ folder: folderWith({ 'toolwire.json': '{"format":1,' }) })).rejects.toThrow(
      'It is not valid JSON',
    );
    await expect(collections.call({ folder, file: 'first.call.json' })).rejects.toThrow('is not open');
    await expect(collections.saveCall({ folder, draft: draft() })).rejects.toThrow('is not open');
    await expect(collections.removeCall({ folder, file: 'first.call.json' })).rejects.toThrow('is not open');
    expect(readdirSync(folder)).toHaveLength(3);
    expect(await collections.list()).toEqual([]);
  });

  test('creates a collection and its folder, unless there is one', async () => {
    const { collections } = (await openWorkbench()).services;
    const folder = join(folderWith({}), 'calls');
    expect(await collections.create({ folder, name: 'New' })).toEqual({ folder });
    expect(await collections.list()).toMatchObject([{ folder, name: 'New', calls: [] }]);
    await expect(collections.create({ folder, name: 'Again' })).rejects.toThrow('a collection already');
    await expect(collections.create({ folder: join(folder, 'a', 'b'), name: 'Deep' })).rejects.toThrow(
      'does not exist. Create it first',
    );
  });

  test('one that is gone stays listed, and says so', async () => {
    const folder = collectionWith(two);
    const { collections } = await openedWith(folder);
    rmSync(folder, { recursive: true });
    const [view] = await collections.list();
    expect(view).toMatchObject({ folder, calls: [] });
    expect(view!.problem).toContain('is not a folder');
  });

  test('reports a change that another program makes, and shows it', async () => {
    const folder = collectionWith(two);
    const { workbench, collections } = await openedWith(folder);
    await collections.list(); // Now it is watched.
    const told = until(workbench, () => existsSync(join(folder, 'third.call.json')));
    put(folder, 'third.call.json', { name: 'third', tool: 'clock_get_time', arguments: {} });
    await told;
    expect((await collections.list())[0]!.calls.map(({ name }) => name)).toContain('third');
  });

  test('one that is closed is watched no longer, and closing half-way through leaves nothing open', async () => {
    const folder = collectionWith(two);
    const { workbench, collections } = await openedWith(folder);
    const listing = collections.list();
    await collections.close({ folder });
    await listing;
    await expect(collections.variables({ folder })).rejects.toThrow('is not open');
    await workbench.close();
  });
});

describe('calls', () => {
  test('saves a new call under its name and reads it back digit for digit', async () => {
    const folder = collectionWith({});
    const { collections } = await openedWith(folder);
    const saved = await collections.saveCall({ folder, draft: draft() });
    expect(saved).toMatchObject({ saved: true, file: 'tell-the-time.call.json' });
    expect(await collections.saveCall({ folder, draft: draft() })).toMatchObject({ file: 'tell-the-time-2.call.json' });
    const { draft: again } = await collections.call({ folder, file: 'tell-the-time.call.json' });
    expect(again).toMatchObject({ name: 'Tell the time', tool: 'clock_get_time', assertions: [] });
    expect(again.argsJson).toContain('9007199254740993');
  });

  test('two that are saved at once under one name get a file each; order and variables saved at once are both kept', async () => {
    const folder = collectionWith(two);
    const { collections } = await openedWith(folder);
    const saved = await Promise.all(
      [1, 2].map((id) => collections.saveCall({ folder, draft: draft({ argsJson: `{"id":${id}}` }) })),
    );
    expect(saved.map((outcome) => outcome.saved && outcome.file).sort()).toEqual([
      'tell-the-time-2.call.json',
      'tell-the-time.call.json',
    ]);
    const order = ['second.call.json', 'first.call.json'];
    await Promise.all([
      collections.reorder({ folder, order }),
      collections.saveVariables({ folder, variablesJson: '{"zone":"UTC"}' }),
      collections.reorder({ folder, order }),
    ]);
    expect(JSON.parse(read(folder, 'toolwire.json'))).toMatchObject({ order, variables: { zone: 'UTC' } });
  });

  test('over a file that somebody else changed is asked about: theirs stays until one says so', async () => {
    const folder = collectionWith(two);
    const { collections } = await openedWith(folder);
    const file = 'first.call.json';
    const { version } = await collections.call({ folder, file });
    const theirs = JSON.stringify({ name: 'theirs', tool: 'clock_get_time', arguments: {} });
    put(folder, file, theirs);
    const refused = await collections.saveCall({ folder, file, version, draft: draft({ name: 'mine' }) });
    expect(refused).toMatchObject({ saved: false, text: theirs });
    expect(read(folder, file)).toBe(theirs);
    expect(await collections.saveCall({ folder, file, version: refused.version, draft: draft() })).toMatchObject({
      saved: true,
    });
    expect(read(folder, file)).toContain('Tell the time');

    const now = await collections.call({ folder, file });
    rmSync(join(folder, file));
    const gone = { saved: false, text: null, version: null };
    expect(await collections.saveCall({ folder, file, version: now.version, draft: draft() })).toEqual(gone);
    expect(await collections.saveCall({ folder, file, version: null, draft: draft() })).toMatchObject({ saved: true });
  });

  test('what cannot be saved names its field, and writes nothing', async () => {
    const folder = collectionWith({});
    const { collections } = await openedWith(folder);
    for (const argsJson of ['{', '[1]', 'null', '7'])
      await expect(collections.saveCall({ folder, draft: draft({ argsJson }) })).rejects.toMatchObject({
        field: 'argsJson',
      });
    await expect(collections.saveCall({ folder, draft: draft({ name: '' }) })).rejects.toMatchObject({ field: 'name' });
    await expect(
      collections.saveCall({ folder, draft: draft({ extract: { 'two words': '$.id' } }) }),
    ).rejects.toMatchObject({ field: expect.stringContaining('extract') as string });
    const assertions = [{ check: 'path', path: '$.items[', op: 'exists' } as const];
    await expect(collections.saveCall({ folder, draft: draft({ assertions }) })).rejects.toMatchObject({
      field: 'assertions.0.path',
      message: expect.stringContaining('"$.items[" is not a JSON path') as string,
    });
    await expect(collections.saveCall({ folder, draft: draft({ extract: { id: 'id' } }) })).rejects.toMatchObject({
      field: 'extract.id',
    });
    expect(readdirSync(folder)).toEqual(['toolwire.json']);
  });

  test('the one that was named is deleted, and no other', async () => {
    const folder = collectionWith({ ...two, third: two.first });
    const { collections } = await openedWith(folder);
    await collections.removeCall({ folder, file: 'second.call.json' });
    expect(readdirSync(folder).sort()).toEqual(['first.call.json', 'third.call.json', 'toolwire.json']);
    expect((await collections.list())[0]!.calls.map(({ name }) => name)).toEqual(['first', 'third']);
    await expect(collections.removeCall({ folder, file: 'second.call.json' })).rejects.toThrow('is gone already');
  });

  test('they run in the order that was set', async () => {
    const folder = collectionWith(two);
    const { workbench, collections } = await openedWith(folder);
    await collections.reorder({ folder, order: ['second.call.json', 'first.call.json'] });
    const ran: string[] = [];
    for await (const { file } of workbench.features.collections.runCalls({ folder })) ran.push(file);
    expect(ran).toEqual(['second.call.json', 'first.call.json']);
    expect(await collections.runs({ folder, file: 'first.call.json', limit: 5 })).toMatchObject([
      { verdict: 'passed' },
    ]);
    expect((await collections.list())[0]!.calls).toMatchObject([{ last: { verdict: 'passed' } }, { last: {} }]);
  });
});

describe('nothing outside the folder', () => {
  test.each(['../out.call.json', '/etc/passwd', 'environments/../../x.json', 'toolwire.txt'])(
    '%s is not read, written or deleted',
    async (file) => {
      const folder = collectionWith(two);
      const { collections } = await openedWith(folder);
      const refused = { field: 'file' };
      await expect(collections.call({ folder, file })).rejects.toMatchObject(refused);
      await expect(collections.saveCall({ folder, file, draft: draft() })).rejects.toMatchObject(refused);
      await expect(collections.removeCall({ folder, file })).rejects.toMatchObject(refused);
    },
  );

  test('nor through the name of an environment', async () => {
    const folder = collectionWith(two);
    const { collections } = await openedWith(folder);
    const environment = '../toolwire';
    await expect(collections.variables({ folder, environment })).rejects.toThrow('is not a file of a collection');
    await expect(collections.saveVariables({ folder, environment, variablesJson: '{}' })).rejects.toThrow(RequestError);
    await expect(collections.removeEnvironment({ folder, environment })).rejects.toThrow(RequestError);
  });

  test('refuses a path through a link', async () => {
    const outside = folderWith({ 'x.json': { name: 'x', tool: 'clock_get_time', arguments: {} } });
    const folder = collectionWith(two);
    symlinkSync(join(outside, 'x.json'), join(folder, 'x.call.json'));
    const { collections } = await openedWith(folder);
    await expect(collections.call({ folder, file: 'x.call.json' })).rejects.toThrow('is a link');
    const row = (await collections.list())[0]!.calls.find(({ file }) => file === 'x.call.json');
    expect(row!.problem).toContain('is a link');
    await collections.removeCall({ folder, file: 'x.call.json', forGood: true });
    expect(existsSync(join(outside, 'x.json'))).toBe(true);
    symlinkSync(outside, join(folder, 'environments'));
    await expect(collections.saveVariables({ folder, environment: 'live', variablesJson: '{}' })).rejects.toThrow(
      'must be a folder',
    );
    expect(readdirSync(outside)).toEqual(['x.json']);
  });
});

describe('foreign files', () => {
  test('each is named with what is wrong with it, and the others work', async () => {
    const more = {
      'bad.call.json': '{"name": ',
      'odd.call.json': { name: 'odd', tool: 5 },
      'environments/e.json': '[]',
    };
    const folder = collectionWith({ first: two.first }, more);
    mkdirSync(join(folder, 'dir.call.json'));
    const { workbench, collections } = await openedWith(folder);
    const [view] = await collections.list();
    const problems = Object.fromEntries(view!.calls.map(({ file, problem }) => [file, problem]));
    expect(problems['first.call.json']).toBeUndefined();
    expect(problems['bad.call.json']).toContain('not valid JSON');
    expect(problems['odd.call.json']).toBe('"tool" must be a string.');
    expect(problems['dir.call.json']).toContain('not a regular file');
    expect(view!.environments).toMatchObject([{ name: 'e', problem: 'The file must be an object.' }]);
    await expect(collections.call({ folder, file: 'bad.call.json' })).rejects.toThrow(
      'bad.call.json: It is not valid JSON',
    );
    await expect(collections.variables({ folder, environment: 'e' })).rejects.toThrow('environments/e.json');
    const reports = [];
    for await (const report of workbench.features.collections.runCalls({ folder, only: ['first.call.json'] }))
      reports.push(report);
    expect(reports).toMatchObject([{ file: 'first.call.json', verdict: 'passed' }]);
  });
});

describe('variables and secrets', () => {
  test('an environment keeps its link to the schema', async () => {
    const $schema = 'https://example.org/collections.schema.json';
    const folder = collectionWith(two, { 'environments/live.json': { $schema, variables: { a: 1 } } });
    const { collections } = await openedWith(folder);
    const { version } = await collections.variables({ folder, environment: 'live' });
    await collections.saveVariables({ folder, environment: 'live', version, variablesJson: '{"a":2}' });
    expect(JSON.parse(read(folder, 'environments/live.json'))).toEqual({ $schema, variables: { a: 2 } });
  });

  test('are kept in their file, and fill a call; a secret’s value never comes out', async () => {
    const greet = { tool: 'clock_get_time', arguments: { zone: '{{zone}}', key: '{{$secret:TOKEN}}' } };
    const folder = collectionWith({ greet });
    const { collections } = await openedWith(folder);
    const place = { folder, environment: 'live' };
    const { version } = await collections.variables(place);
    const written = await collections.saveVariables({ ...place, version, variablesJson: '{"zone":"UTC"}' });
    expect(written).toMatchObject({ saved: true, file: 'environments/live.json' });
    expect(await collections.saveVariables({ ...place, version, variablesJson: '{}' })).toMatchObject({ saved: false });
    await expect(collections.saveVariables({ ...place, variablesJson: '[]' })).rejects.toMatchObject({
      field: 'variablesJson',
    });

    expect(await collections.secrets({ folder })).toEqual([{ name: 'TOKEN', isSet: false }]);
    await collections.setSecret({ folder, name: 'TOKEN', value: 'hush-hush' });
    expect(await collections.secrets({ folder })).toEqual([{ name: 'TOKEN', isSet: true }]);
    const filled = await collections.filled({ ...place, file: 'greet.call.json' });
    expect(JSON.parse(filled.argsJson)).toEqual({ zone: 'UTC', key: '{{$secret:TOKEN}}' });
    const bare = await collections.filled({ folder, file: 'greet.call.json' });
    expect(bare).toMatchObject({ toolName: 'clock_get_time', missing: ['zone'] });
    expect(JSON.parse(bare.argsJson)).toEqual({ zone: '{{zone}}', key: '{{$secret:TOKEN}}' });
    expect(filled.missing).toEqual([]);
    await expect(collections.saveVariables({ ...place, variablesJson: '{"no name":1}' })).rejects.toThrow(
      '"no name" must begin with a letter or _ and contain only letters, digits, _, - and ., at most 64.',
    );
    for (const file of ['toolwire.json', 'greet.call.json', 'environments/live.json'])
      expect(read(folder, file)).not.toContain('hush-hush');
    await collections.setSecret({ folder, name: 'TOKEN' });
    expect((await collections.filled({ ...place, file: 'greet.call.json' })).missing).toEqual(['$secret:TOKEN']);
    expect(await collections.secrets({ folder })).toEqual([{ name: 'TOKEN', isSet: false }]);
    await collections.removeEnvironment(place);
    expect((await collections.list())[0]!.environments).toEqual([]);
  });
});
