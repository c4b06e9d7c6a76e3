import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ToolDefinitionInput } from '../../../../src-core/protocols/base.ts';
import { exampleCall, toolDefinition } from '../../../../src-core/protocols/vcp/generateToolDefinitions.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { createVcpProtocol } from '../../../../src-core/protocols/vcp/vcpProtocol.ts';
import type { JsonSchema } from '../../../../src-core/base/json.ts';
import type { MethodMetadata } from '../../../../src-core/base/toolTypes.ts';
import { block } from './blocks.ts';
import { vcpText, vcpValue } from './vcpArbitrary.ts';

const protocol = createVcpProtocol();

function method(name: string, inputSchema: JsonSchema, more: Partial<MethodMetadata> = {}): MethodMetadata {
  return { name, description: 'Does it.', agentCallable: true, inputSchema, ...more };
}

const schema: JsonSchema = {
  type: 'object',
  properties: {
    level: { type: 'integer', minimum: 0, maximum: 100, description: 'How bright.' },
    mode: { type: 'string', enum: ['warm', 'cold'] },
    note: { type: 'string', default: 'none' },
  },
  required: ['level', 'mode'],
};

describe('generateToolDefinitions', () => {
  const tool: ToolDefinitionInput = {
    toolId: 'light',
    toolName: 'Hall lamp',
    methods: [method('self.light.set', schema, { protocolConfig: { vcpCommand: 'SetLight' } })],
  };

  test('offers a method with its parameters and an example', () => {
    expect(protocol.generateToolDefinitions([tool])).toBe(
      `<<<[TOOL_DEFINITION]>>>
tool_name:「始」light「末」,
command:「始」SetLight「末」,
description:「始」Does it. (Hall lamp)「末」,
parameters:「始」[{"name":"level","type":"integer","required":true,"description":"How bright.","range":[0,100]},{"name":"mode","type":"string","required":true,"enum":["warm","cold"]},{"name":"note","type":"string","required":false,"default":"none"}]「末」,
example:
<<<[TOOL_REQUEST]>>>
tool_name:「始」light「末」,
command:「始」SetLight「末」,
level:「始」0「末」,
mode:「始」warm「末」
<<<[END_TOOL_REQUEST]>>>
<<<[END_TOOL_DEFINITION]>>>`,
    );
  });

  test('describes what is in an object or an array, and fills the example in', () => {
    const lat = { type: 'number', minimum: -90 };
    const nested = {
      properties: {
        pos: { type: 'object', properties: { lat, lon: lat }, required: ['lat'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['pos'],
    };
    const text = toolDefinition({ toolId: 't', toolName: 't', methods: [] }, method('a', nested));
    expect(text).toContain(
      '{"name":"pos","type":"object","required":true,"properties":[{"name":"lat","type":"number","required":true,"range":[-90,null]},{"name":"lon","type":"number","required":false,"range":[-90,null]}]}',
    );
    expect(text).toContain('{"name":"tags","type":"array","required":false,"items":{"type":"string"}}');
    expect(text).toContain('pos:「始」{"lat":-90}「末」');
  });

  test('offers only methods that a model may call, and nothing for no tools', () => {
    const lost = { type: 'object', properties: { 城市: {} } };
    const methods = [
      method('a', {}, { agentCallable: false }),
      method('b', lost),
      method('c', { ...lost, required: ['城市'] }),
    ];
    const text = protocol.generateToolDefinitions([{ toolId: 't', toolName: 't', methods }]);
    expect(protocol.parseToolRequests(text).map(({ command }) => command)).toEqual(['b']);
    expect(protocol.generateToolDefinitions([])).toBe('');
  });

  test('shows the method’s own name where its VCP command could mean another', () => {
    const alias = { protocolConfig: { vcpCommand: 'Do' } };
    const text = protocol.generateToolDefinitions([
      { toolId: 't', toolName: 't', methods: [method('a', {}, alias), method('b', {}, alias), method('Do', {})] },
    ]);
    expect(protocol.parseToolRequests(text).map(({ command }) => command)).toEqual(['a', 'b', 'Do']);
  });

  test('every example reads back to exactly its call, whatever a device calls and describes its methods', () => {
    const name = vcpValue.map((text) => text.trim()).filter((text) => text !== '');
    const property = fc.oneof(
      fc.record({
        type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object'),
        description: vcpValue,
      }),
      fc.record({ type: fc.constant('string'), default: vcpValue }),
      fc.record({ enum: fc.array(vcpValue, { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer() }),
    );
    const properties = fc.dictionary(fc.oneof(fc.stringMatching(/^[a-z_]{1,8}\d?$/), vcpText(2)), property, {
      maxKeys: 5,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(name, name, vcpValue, properties, (toolId, methodName, description, parameters) => {
        const described = method(
          methodName,
          { type: 'object', properties: parameters, required: Object.keys(parameters) },
          { description },
        );
        const offered: ToolDefinitionInput = { toolId, toolName: description, methods: [described] };
        const text = toolDefinition(offered, described);
        const expected = exampleCall(offered, described);
        const { requests } = parseVcp(text.slice(text.lastIndexOf('\nexample:\n')));
        expect(requests).toHaveLength(1);
        expect([requests[0]!.toolName, requests[0]!.command]).toEqual([toolId, methodName]);
        const written = Object.entries(expected.args).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        expect(Object.entries(requests[0]!.rawArgs).sort()).toEqual(written.sort());
      }),
      { numRuns: 500 },
    );
  });
});

describe('parseToolRequests', () => {
  test('keeps a series in one request, its calls in order with ids of their own', () => {
    const text = block(
      'tool_name:「始」t「末」',
      'request_id:「始」r「末」',
      'command1:「始」a「末」',
      'p1:「始」1「末」',
      'command2:「始」b「末」',
    );
    expect(protocol.parseToolRequests(text)).toMatchObject([
      {
        requestId: 'r',
        toolName: 't',
        rawBlock: text,
        calls: [
          { requestId: 'r#1', command: 'a', args: { p: '1' } },
          { requestId: 'r#2', command: 'b', args: {} },
        ],
      },
    ]);
  });

  test('omits the command if there is none', () => {
    const text = block(
      'tool_name:「始」directory-tree_listFiles「末」',
      'request_id:「始」r「末」',
      'path:「始」src/tools「末」',
    );
    expect(protocol.parseToolRequests(text)).toEqual([
      { requestId: 'r', toolName: 'directory-tree_listFiles', rawBlock: text, args: { path: 'src/tools' } },
    ]);
  });

  test('reads in the dialect it was made for', () => {
    expect(createVcpProtocol({ dialect: 'aiohub' }).parseToolRequests(block('command:「始」c「末」'))).toMatchObject([
      { toolName: 'unknown_tool', command: 'c' },
    ]);
    expect(protocol.parseToolRequests(block('command:「始」c「末」'))).toEqual([]);
    expect(protocol.id).toBe('vcp');
  });
});
