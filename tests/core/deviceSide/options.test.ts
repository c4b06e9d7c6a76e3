/** Options that nothing reads are refused, and a manager is handed what it makes tools of. */
import { expect, test } from 'vitest';

import {
  createCalendarManager,
  createIrManager,
  createSerialPort,
  createSystemManager,
  DeviceClient,
  McpServer,
  McpTool,
  Property,
  PropertyList,
  PropertyType,
} from '../../../src-core/device.ts';
import { callTool, serverOf } from './support/callTool.ts';

/** As a program without types passes them. */
const wrong = (options: object): never => options as never;

test.each<[string, () => unknown, string]>([
  [
    'Property, in the spelling of Python',
    () => new Property('name', PropertyType.STRING, wrong({ default_value: 'world' })),
    'Property "name" has no option "default_value". Write "defaultValue".',
  ],
  [
    'Property, a default in the place of the options',
    () => new Property('name', PropertyType.STRING, 'world' as never),
    'Property "name": the options must be an object, such as { defaultValue, minimum, maximum }.',
  ],
  [
    'McpTool',
    () => new McpTool(wrong({ name: 'a', description: '', callback: () => 1, UserOnly: true })),
    'The tool "a" has no option "UserOnly". Write "userOnly".',
  ],
  ['McpServer', () => new McpServer(wrong({ title: 'x' })), 'McpServer has no option "title". Its options are: name,'],
  ['addCommonTools', () => new McpServer().addCommonTools(wrong({ mic: {} })), 'has no option "mic". Its options are:'],
  ['the calendar', () => createCalendarManager(wrong({ path: 'x' })), 'has no option "path". Its options are: file.'],
  ['the system', () => createSystemManager(wrong({ state: () => ({}) })), 'has no option "state".'],
  ['infrared', () => createIrManager(wrong({ codes_file: 'x' })), 'has no option "codes_file". Write "codesFile".'],
  ['a serial port', () => createSerialPort(wrong({ path: 'x', rate: 1 })), 'has no option "rate".'],
  [
    'DeviceClient',
    () => new DeviceClient(wrong({ url: 'ws://127.0.0.1:1/', server: new McpServer(), device_id: 'x' })),
    'DeviceClient has no option "device_id". Write "deviceId".',
  ],
])('an option that does not exist is refused: %s', (_what, make, message) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

test('passes the argument classes to initTools', async () => {
  const given: unknown[] = [];
  const server = serverOf({
    initTools(addTool, List, Argument, Type) {
      given.push(List, Argument, Type);
      const properties = new List([new Argument('name', Type.STRING, { defaultValue: 'world' })]);
      addTool(new McpTool({ name: 'hello', description: '', properties, callback: ({ name }) => `Hello, ${name}!` }));
    },
  });
  expect(given).toEqual([PropertyList, Property, PropertyType]);
  expect((await callTool(server, 'hello')).text).toBe('Hello, world!');
});
