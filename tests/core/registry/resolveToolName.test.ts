import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolError, type ToolErrorInfo } from '../../../src-core/base/errors.ts';
import { resolveToolName } from '../../../src-core/registry/resolveToolName.ts';
import { createToolRegistryManager, type ToolRegistryManager } from '../../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../../src-core/registry/types.ts';
import { makeTool } from './testTool.ts';

function manage(...tools: ToolRegistry[]): ToolRegistryManager {
  const toolRegistryManager = createToolRegistryManager();
  for (const tool of tools) toolRegistryManager.register(tool);
  return toolRegistryManager;
}

/** `toolId.method`, or `code: candidates`. */
function resolve(toolRegistryManager: ToolRegistryManager, toolName: string, command?: string): string {
  try {
    const { registry, method, commandIsArgument } = resolveToolName({ toolRegistryManager, toolName, command });
    return `${registry.id} > ${method.name}${commandIsArgument ? ' (command is an argument)' : ''}`;
  } catch (error) {
    const { code, candidates } = failure(error);
    return `${code}: ${candidates?.join(', ') ?? ''}`;
  }
}

function failure(error: unknown): ToolErrorInfo {
  if (!(error instanceof ToolError)) throw error;
  return error.info;
}

function errorOf(toolRegistryManager: ToolRegistryManager, toolName: string, command?: string): ToolErrorInfo {
  try {
    resolveToolName({ toolRegistryManager, toolName, command });
  } catch (error) {
    return failure(error);
  }
  throw new Error('The name resolved.');
}

const device = makeTool('esp32', [
  { name: 'self.audio_speaker.set_volume' },
  { name: 'self.audio_speaker.get_volume' },
  { name: 'self.reboot' },
]);
const files = makeTool(
  'directory-tree',
  [{ name: 'listFiles', protocolConfig: { vcpCommand: 'ListFiles' } }],
  'Directory tree',
);
const clock = makeTool('clock', [{ name: 'get_time' }, { name: 'get_date' }]);
const commandParameter = { type: 'object', properties: { command: { type: 'string' } } };
const shell = makeTool('shell', [{ name: 'run', inputSchema: commandParameter }, { name: 'stop' }]);

describe('the three forms of docs/protocols/vcp.md#method-names', () => {
  const toolRegistryManager = manage(device, files, clock, shell);

  test.each([
    ['directory-tree_listFiles', undefined, 'directory-tree > listFiles'],
    ['clock_get_time', undefined, 'clock > get_time'],
    ['esp32_self.audio_speaker.set_volume', undefined, 'esp32 > self.audio_speaker.set_volume'],
    ['esp32', 'self.audio_speaker.set_volume', 'esp32 > self.audio_speaker.set_volume'],
    ['directory-tree', 'listFiles', 'directory-tree > listFiles'],
    ['directory-tree', 'ListFiles', 'directory-tree > listFiles'],
    ['directory-tree_ListFiles', undefined, 'directory-tree > listFiles'],
    ['clock_get_time', '', 'clock > get_time'],
  ])('%j with command %j is %s', (toolName, command, expected) => {
    expect(resolve(toolRegistryManager, toolName, command)).toBe(expected);
  });

  test('where one field names the method, `command` is an argument, unless it only repeats the name', () => {
    expect(resolve(toolRegistryManager, 'shell_run', 'ls -l')).toBe('shell > run (command is an argument)');
    expect(resolve(toolRegistryManager, 'shell_run', 'run')).toBe('shell > run (command is an argument)');
    expect(resolve(toolRegistryManager, 'shell_stop', 'stop')).toBe('shell > stop');
    expect(resolve(toolRegistryManager, 'directory-tree_listFiles', 'ListFiles')).toBe('directory-tree > listFiles');
    expect(resolve(toolRegistryManager, 'shell', 'run')).toBe('shell > run');
  });
});

describe('names that mean two things', () => {
  test('one qualified name of two methods is an error that names both', () => {
    const toolRegistryManager = manage(makeTool('a', [{ name: 'b_c' }]), makeTool('a_b', [{ name: 'c' }]));
    expect(resolve(toolRegistryManager, 'a_b_c')).toBe('ambiguous-name: ');
    const { message, details } = errorOf(toolRegistryManager, 'a_b_c');
    expect(message).toContain('tool "a" with method "b_c", tool "a_b" with method "c"');
    expect(details).toEqual({
      targets: [
        { toolId: 'a', methodName: 'b_c' },
        { toolId: 'a_b', methodName: 'c' },
      ],
    });
    expect(resolve(toolRegistryManager, 'a', 'b_c')).toBe('a > b_c');
    expect(resolve(toolRegistryManager, 'a_b', 'c')).toBe('a_b > c');
  });

  test('a misspelt alias lists the method that has it', () => {
    const methods = ['forecast', 'a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
    const alias = { name: 'now', protocolConfig: { vcpCommand: 'GetForecst' } };
    const toolRegistryManager = manage(makeTool('weather', [...methods, alias]));
    expect(resolve(toolRegistryManager, 'weather', 'GetForcast')).toContain('weather_now');
  });

  test('a command that two methods share is an error', () => {
    const alias = { protocolConfig: { vcpCommand: 'Go' } };
    const toolRegistryManager = manage(
      makeTool('car', [{ name: 'drive', ...alias }, { name: 'walk', ...alias }, { name: 'Stop' }]),
    );
    expect(resolve(toolRegistryManager, 'car', 'Go')).toBe('ambiguous-name: car_drive, car_walk');
    expect(resolve(toolRegistryManager, 'car_Go')).toBe('ambiguous-name: car_drive, car_walk');
    expect(errorOf(toolRegistryManager, 'car', 'Go').message).toMatch(/\. Write one of "drive", "walk" in command\.$/);
    expect(errorOf(toolRegistryManager, 'car_Go').message).toMatch(/\. Name the tool in tool_name and the method in/);
    expect(resolve(toolRegistryManager, 'car', 'Stop')).toBe('car > Stop');
  });

  test("a command that is one method's name and another's alias is an error", () => {
    const toolRegistryManager = manage(
      makeTool('car', [{ name: 'go' }, { name: 'drive', protocolConfig: { vcpCommand: 'go' } }]),
    );
    expect(resolve(toolRegistryManager, 'car', 'go')).toBe('ambiguous-name: car_go, car_drive');
  });

  test('a tool id that is also a qualified name: the form that uses both fields is meant', () => {
    const toolRegistryManager = manage(makeTool('a', [{ name: 'b' }]), makeTool('a_b', [{ name: 'c' }]));
    expect(resolve(toolRegistryManager, 'a_b', 'c')).toBe('a_b > c');
    expect(resolve(toolRegistryManager, 'a_b')).toBe('a > b');
    expect(resolve(toolRegistryManager, 'a_b', 'x')).toBe('a > b (command is an argument)');
  });

  test('unless the other method could take `command` as an argument: then it is an error', () => {
    const toolRegistryManager = manage(
      makeTool('a', [{ name: 'b', inputSchema: commandParameter }]),
      makeTool('a_b', [{ name: 'c' }]),
    );
    expect(resolve(toolRegistryManager, 'a_b', 'c')).toBe('ambiguous-name: a_b_c, a_b');
  });
});

describe('names that mean nothing', () => {
  const toolRegistryManager = manage(device, files, clock, shell);

  test.each([
    ['', undefined, 'invalid-name: '],
    ['  ', undefined, 'invalid-name: '],
    [
      'esp32_self.audio_speaker.set_volum',
      undefined,
      'unknown-method: esp32_self.audio_speaker.set_volume, esp32_self.audio_speaker.get_volume',
    ],
    [
      'esp32',
      'self.audio_speaker.set_volum',
      'unknown-method: esp32_self.audio_speaker.set_volume, esp32_self.audio_speaker.get_volume',
    ],
    ['clock_tell', undefined, 'unknown-method: clock_get_time, clock_get_date'],
    ['clock', 'getTime', 'unknown-method: clock_get_time'],
    ['clock', undefined, 'invalid-name: clock_get_time, clock_get_date'],
    ['dirtree_listFiles', undefined, 'unknown-tool: directory-tree_listFiles'],
    ['DirectoryTree', 'ListFiles', 'unknown-tool: directory-tree_listFiles'],
    ['Directory tree', 'listFiles', 'unknown-tool: directory-tree_listFiles'],
    ['listFile', undefined, 'unknown-tool: directory-tree_listFiles'],
    ['__proto___constructor', undefined, 'unknown-tool: '],
    ['toString', undefined, 'unknown-tool: '],
  ])('%j with command %j: %s', (toolName, command, expected) => {
    expect(resolve(toolRegistryManager, toolName, command)).toBe(expected);
  });

  test('a bare method name is never guessed, but offered first with its tool', () => {
    expect(resolve(toolRegistryManager, 'self.audio_speaker.set_volume')).toBe(
      'unknown-tool: esp32_self.audio_speaker.set_volume',
    );
    expect(resolve(toolRegistryManager, 'listFiles')).toBe('unknown-tool: directory-tree_listFiles');
  });

  test('the message says what to write', () => {
    expect(errorOf(toolRegistryManager, 'clock', 'get_tim').message).toBe(
      'The tool "clock" has no method "get_tim". Did you mean "clock_get_time"?',
    );
  });

  test('a name without a method may be that of a tool which is not registered', () => {
    expect(errorOf(toolRegistryManager, 'VSearch')).toMatchObject({
      code: 'unknown-tool',
      message: 'No tool is registered for "VSearch".',
    });
  });

  test('an invisible character of a name is written as its code', () => {
    expect(errorOf(toolRegistryManager, 'clo\u200bck_get_time')).toMatchObject({
      message: expect.stringMatching(
        /^No tool is registered for "clo\\u200bck_get_time"\. Did you mean "clock_get_time"/,
      ),
    });
  });

  test('the display name of a tool suggests its methods', () => {
    const weather = makeTool('weather', [{ name: 'now' }, { name: 'forecast' }], '天气');
    const names = 'unknown-tool: weather_now, weather_forecast';
    expect(resolve(manage(clock, weather), '天气')).toBe(names);
    expect(resolve(manage(clock, weather), '天气', '查询')).toBe(names);
  });

  test('with nothing registered it says so', () => {
    expect(errorOf(createToolRegistryManager(), 'clock_get_time').message).toBe(
      'No tool is registered for "clock_get_time". No tools are registered at all.',
    );
  });

  test('a name of a megabyte of underscores is refused with a short message', () => {
    const { code, message } = errorOf(toolRegistryManager, '_'.repeat(1_000_000));
    expect(code).toBe('unknown-tool');
    expect(message.length).toBeLessThan(400);
  });

  test('every candidate offered resolves', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (toolName, command) => {
        try {
          resolveToolName({ toolRegistryManager, toolName, command });
        } catch (error) {
          for (const candidate of failure(error).candidates ?? []) {
            expect(resolve(toolRegistryManager, candidate)).toMatch(/ > /);
          }
        }
      }),
    );
  });
});

test('only similar names are offered, and a tool that failed to load says so with its reason', () => {
  const { candidates, message } = errorOf(manage(clock), 'weather_forecast');
  expect([candidates, message]).toEqual([[], 'No tool is registered for "weather_forecast".']);
  const broken = {
    ...makeTool('dice', []),
    getMetadata: () => ({ methods: [], error: 'dice.js:3 has a syntax error: x.' }),
  };
  for (const [name, command] of [['dice_roll'], ['dice', 'roll'], ['dice']] as const)
    expect(errorOf(manage(clock, broken), name, command)).toMatchObject({
      code: 'unusable-method',
      message: 'The tool "dice" failed to load. dice.js:3 has a syntax error: x.',
      details: { toolId: 'dice' },
    });
});

test('a tool that comes, changes or goes is known at once', () => {
  const toolRegistryManager = createToolRegistryManager();
  expect(resolve(toolRegistryManager, 'clock_get_time')).toBe('unknown-tool: ');
  const unregister = toolRegistryManager.register(clock);
  expect(resolve(toolRegistryManager, 'clock_get_time')).toBe('clock > get_time');
  unregister();
  expect(resolve(toolRegistryManager, 'clock_get_time')).toBe('unknown-tool: ');
});

test('an exact name is looked up without going through the tools', () => {
  const real = manage(device, files, clock);
  let walks = 0;
  const counting: ToolRegistryManager = {
    ...real,
    get revision() {
      return real.revision;
    },
    getAllTools: () => ((walks += 1), real.getAllTools()),
  };
  for (let i = 0; i < 100; i += 1) resolve(counting, 'clock_get_time');
  expect(walks).toBe(1);
  real.notifyChanged('clock');
  for (let i = 0; i < 100; i += 1) resolve(counting, 'esp32', 'self.reboot');
  expect(walks).toBe(2);
});

test('only names that run are offered: a name that two methods share is not', () => {
  const a = makeTool('a', [{ name: 'b_c' }]);
  const shared = manage(a, makeTool('a_b', [{ name: 'c' }, { name: 'e' }]));
  for (const name of ['a_b_d', 'abc', 'b_c']) {
    const { message, candidates } = errorOf(shared, name);
    for (const candidate of candidates ?? []) expect(resolve(shared, candidate)).toContain(' > ');
    expect(message).not.toContain('"a_b_c"');
  }
  expect(errorOf(shared, 'b_c').message).toBe(
    '"b_c" is a method, but its tool is not named. Did you mean "a" with command "b_c"?',
  );
  expect(errorOf(shared, 'a_b_d').candidates).toEqual(['a_b_e']);
  const dotted = manage(makeTool('x', [{ name: 'a.b' }]), makeTool('y.z', [{ name: 'c' }]));
  expect([resolve(dotted, 'a.b'), resolve(dotted, 'x_a_b')]).toEqual(['unknown-tool: x_a.b', 'unknown-method: x_a.b']);
  expect([resolve(dotted, 'y_z_c'), resolve(dotted, 'y_z', 'c')]).toEqual([
    'unknown-tool: y.z_c',
    'unknown-tool: y.z_c',
  ]);
});

test('whatever is registered, both forms reach exactly it, or say that the name is ambiguous', () => {
  const name = fc.stringMatching(/^[ab_.]{1,5}$/);
  const tools = fc.uniqueArray(fc.tuple(name, fc.uniqueArray(name, { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
    selector: ([id]) => id,
  });
  fc.assert(
    fc.property(tools, (given) => {
      const toolRegistryManager = manage(
        ...given.map(([id, methods]) =>
          makeTool(
            id,
            methods.map((method) => ({ name: method })),
          ),
        ),
      );
      const qualified = given.flatMap(([id, methods]) => methods.map((method) => `${id}_${method}`));
      for (const [id, methods] of given) {
        for (const method of methods) {
          expect(resolve(toolRegistryManager, id, method)).toBe(`${id} > ${method}`);
          const oneField = resolve(toolRegistryManager, `${id}_${method}`);
          const same = qualified.filter((other) => other === `${id}_${method}`).length;
          expect(oneField).toBe(same === 1 ? `${id} > ${method}` : 'ambiguous-name: ');
        }
      }
    }),
  );
});
