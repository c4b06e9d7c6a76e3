import { describe, expect, test } from 'vitest';

import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { edgeCases, haveEdgeCases } from './edgeCases.ts';
import { standardOutcomes } from './standardOutcomes.ts';

describe('dialect standard on the edge cases of spec/vcp-edge-cases.jsonl', () => {
  test.runIf(haveEdgeCases)('every row has its outcome, and every outcome its row', () => {
    expect(edgeCases).toHaveLength(110);
    expect(edgeCases.map(({ id }) => id).sort()).toEqual(Object.keys(standardOutcomes).sort());
  });

  test.runIf(haveEdgeCases).each(edgeCases)('$id', ({ id, text }) => {
    const expected = standardOutcomes[id]!;
    const result = parseVcp(text);
    expect(
      result.diagnostics.map(({ code }) => code),
      expected.why,
    ).toEqual(expected.codes ?? []);
    expect(result.requests, expected.why).toHaveLength(expected.calls.length);
    result.requests.forEach((request, index) => {
      const { toolName, command, args, control = {}, requestId, calls } = expected.calls[index]!;
      expect(request.toolName).toBe(toolName);
      expect(request.command).toBe(command);
      expect(Object.entries(request.args).sort()).toEqual(Object.entries(args ?? {}).sort());
      expect(request.control).toEqual(control);
      if (requestId !== undefined) expect(request.requestId).toBe(requestId);
      expect(request.calls?.map((call) => ({ command: call.command, args: call.args }))).toEqual(calls);
      expect(request.rawBlock).toBe(text.slice(request.range.start, request.range.end));
      expect(request.dialect).toBe('standard');
    });
  });
});
