/** Tools as objects: an object with `getMetadata()` and a function for each method. */
import { expect, test } from 'vitest';

import { executeSingleRequest } from '../../../src-core/engine/executor.ts';
import { createToolCalling } from '../../../src-core/engine/toolCalling.ts';
import { createProtocolRegistry } from '../../../src-core/protocols/registry.ts';
import { createVcpProtocol } from '../../../src-core/protocols/vcp/vcpProtocol.ts';
import { defaultToolCallConfig } from '../../../src-core/base/calls.ts';
import { methodParameters } from '../../../src-core/registry/methodParameters.ts';
import { schemaOfParameters, type ObjectTool } from '../../../src-core/registry/objectTool.ts';
import { getToolIndex } from '../../../src-core/registry/toolIndex.ts';
import { createToolRegistryManager } from '../../../src-core/registry/toolRegistryManager.ts';
import { openModuleFolder } from './modules/moduleFolder.ts';

const weatherSource = `class Weather {
  id = 'weather';
  name = 'Weather station';
  degrees = 21;
  getMetadata() {
    return {
      methods: [
        {
          name: 'now',
          description: 'The weather right now.',
          agentCallable: true,
          returnType: 'Promise<string>',
          parameters: [
            { name: 'city', type: 'string', description: 'Which city', required: true },
            { name: 'days', type: 'number', required: false, defaultValue: 1 },
          ],
          protocolConfig: { vcpCommand: 'WeatherNow' },
        },
        { name: 'gone', description: 'Has no function.', agentCallable: true, parameters: [] },
        { name: 'odd', description: 'Has odd parameters.', agentCallable: true, parameters: 'city' },
      ],
    };
  }
  async now(args) {
    return args.city + ': ' + this.degrees + ', ' + typeof args.days;
  }
  odd() {}
}`;

const makeWeather = new Function(`return new (${weatherSource})()`) as () => ObjectTool;
const request = { toolName: 'weather', command: 'WeatherNow', args: { city: 'Köln', days: 3 } };

test('such an object is a registry: it is offered with its parameters and runs', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const remove = toolRegistryManager.register(makeWeather());
  const toolCalling = createToolCalling({
    toolRegistryManager,
    protocols: createProtocolRegistry([createVcpProtocol()]),
  });
  expect(toolRegistryManager.getTool('weather')).toMatchObject({
    name: 'Weather station',
    source: { kind: 'module', id: 'weather', label: 'Weather station' },
  });
  const prompt = toolCalling.generateToolsPrompt(defaultToolCallConfig);
  expect(prompt).toContain('WeatherNow');
  expect(prompt).toContain('Which city');
  expect(await executeSingleRequest(request, { toolRegistryManager, caller: 'model' })).toMatchObject({
    status: 'success',
    result: 'Köln: 21, number',
  });
  const missing = await executeSingleRequest({ ...request, args: {} }, { toolRegistryManager, caller: 'model' });
  expect(missing.error?.code).toBe('invalid-arguments');
  toolCalling.close();
  remove();
  expect(toolRegistryManager.getAllTools()).toEqual([]);
});

test('a method without a function or with odd parameters is lost alone, and says why', () => {
  const toolRegistryManager = createToolRegistryManager();
  toolRegistryManager.register(makeWeather());
  expect(toolRegistryManager.getTool('weather')!.getMetadata().methods).toMatchObject([
    { name: 'now', agentCallable: true },
    {
      name: 'gone',
      agentCallable: false,
      error: 'The tool has no function "gone". Add it, or take the method out of getMetadata().',
    },
    { name: 'odd', agentCallable: false, error: '"parameters" must be an array of objects with a "name".' },
  ]);
});

test('an entry without a name hides no other method', async () => {
  const metadata = { methods: [null, { name: 'now', agentCallable: true }] };
  const toolRegistryManager = createToolRegistryManager();
  const tool = { id: 'odd', getMetadata: () => metadata, now: () => 'noon' };
  toolRegistryManager.register(tool as unknown as ObjectTool);
  const { tools } = getToolIndex(toolRegistryManager);
  expect(tools.get('odd')?.metadata).toMatchObject({
    methods: [{ name: 'now', agentCallable: true }],
    error: '1 of 2 methods have no usable name or a name used twice: null.',
  });
  const { manager } = await openModuleFolder({
    'odd.js': 'export default { getMetadata: () => ({ methods: [null] }) };',
  });
  expect(manager.getTool('odd')!.getMetadata().error).toMatch(/does not list methods with names/);
});

test.each(['export default ', 'export default new '])('as a module, after "%s", it runs too', async (start) => {
  const { manager: toolRegistryManager } = await openModuleFolder({ 'weather.js': `${start}(${weatherSource});` });
  const tool = toolRegistryManager.getTool('weather')!;
  expect(tool.name).toBe('Weather station');
  expect(tool.getMetadata().methods).toMatchObject([
    { name: 'now', agentCallable: true, protocolConfig: { vcpCommand: 'WeatherNow' } },
    { name: 'gone', agentCallable: false, error: expect.stringContaining('has no function') as string },
    { name: 'odd', agentCallable: false, error: expect.stringContaining('"parameters" must be an array') as string },
  ]);
  expect(await executeSingleRequest(request, { toolRegistryManager, caller: 'model' })).toMatchObject({
    status: 'success',
    result: 'Köln: 21, number',
  });
});

test('protocolConfig.vcpCommand is the command of a method in a module', async () => {
  const { manager } = await openModuleFolder({
    'a.js': `export default { methods: {
      run: { description: 'Runs.', protocolConfig: { vcpCommand: 'Go' }, handler: () => 1 },
      odd: { description: 'Runs.', protocolConfig: { command: 'Go' }, handler: () => 1 },
    } };`,
  });
  const [run, odd] = manager.getTool('a')!.getMetadata().methods;
  expect(run).toMatchObject({ name: 'run', protocolConfig: { vcpCommand: 'Go' } });
  expect(run).not.toHaveProperty('error');
  expect(odd?.error).toContain('has an unknown field "command"');
});

test('parameters become the schema that describes them', () => {
  const parameters = [
    { name: 'city', type: 'string', description: 'Which', required: true, enum: ['Köln', 'Bonn'] },
    { name: 'count', type: 'integer', required: false, defaultValue: 2, minimum: 1, maximum: 9 },
    { name: 'either', type: 'string|number', required: false },
    { name: 'mode', type: 'any', required: false },
  ];
  expect(methodParameters(schemaOfParameters(parameters))).toEqual(parameters);
  expect(
    schemaOfParameters([
      { name: 'names', type: 'string[]' },
      { name: 'mode', type: 'LightMode' },
    ]),
  ).toEqual({
    type: 'object',
    properties: { names: { type: 'array', items: { type: 'string' } }, mode: {} },
    required: [],
  });
});
