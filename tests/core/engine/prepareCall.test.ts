import { expect, test } from 'vitest';
import { prepareCall } from '../../../src-core/engine/prepareCall.ts';
import { makeTool } from '../registry/testTool.ts';
import { request, setUp } from './execution.ts';

const schema = { properties: { command: { type: 'string' }, n: { type: 'integer' } } };

test('shows what the executor would do, without doing it', async () => {
  let ran = 0;
  const lab = setUp([{ name: 'run', inputSchema: schema, handler: (args) => ((ran += 1), args) }]);
  const given = { ...request('lab_run', { n: '5' }), command: 'ls' };
  const { target, converted } = prepareCall({ ...lab, request: given });
  expect(ran).toBe(0);
  expect(target).toMatchObject({ qualifiedName: 'lab_run', commandIsArgument: true });
  expect(converted?.args).toEqual({ n: 5, command: 'ls' });
  expect(await lab.execute(given)).toMatchObject({ result: JSON.stringify(converted?.args) });
});

test('an argument `command` in the arguments themselves stays', () => {
  const lab = setUp([{ name: 'run', inputSchema: schema }]);
  const { converted } = prepareCall({ ...lab, request: { ...request('lab_run', { command: 'own' }), command: 'ls' } });
  expect(converted?.args).toEqual({ command: 'own' });
});

test('text is converted, JSON is not', () => {
  const lab = setUp([{ name: 'run', inputSchema: schema }]);
  const direct = prepareCall({ ...lab, request: { toolName: 'lab_run', args: { n: '5' } } });
  expect(direct.converted?.issues).toMatchObject([{ remedy: 5 }]);
  expect(prepareCall({ ...lab, request: request('lab_run', { n: '5' }) }).converted?.issues).toEqual([]);
});

test('a name that does not resolve is a value, not an exception', () => {
  const { error, target } = prepareCall({ ...setUp([]), request: request('gone_get') });
  expect(error).toMatchObject({ code: 'unknown-tool' });
  expect(target).toBeUndefined();
});

test('a method without a schema takes anything', () => {
  const { methods } = makeTool('odd', [{ name: 'get' }]).getMetadata();
  const bare = methods.map(({ name, description }) => ({ name, description, agentCallable: true }));
  const odd = { ...makeTool('odd', []), getMetadata: () => ({ methods: bare as typeof methods }) };
  const given = { ...request('odd_get', { n: '5' }), command: 'x' };
  const { converted } = prepareCall({ ...setUp([], odd), request: given });
  expect(converted).toMatchObject({ args: { n: '5', command: 'x' }, issues: [] });
});
