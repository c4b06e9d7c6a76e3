import { expect, test } from 'vitest';

import { executeToolRequests } from '../../../src-core/engine/executor.ts';
import { checkOutputFully, createCheckAllowance } from '../../../src-core/schema/checkFully.ts';
import { countProcesses } from '../../helpers/countProcesses.ts';
import { request, setUp } from './execution.ts';

const endless = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
const text = `${'a'.repeat(60)}!`;
const spent = 'the checks of this turn take more than 0.1 s of processor time together';

test('calls that run at once share an allowance for their checks; what exceeds it is refused, the rest runs', async () => {
  const processes = countProcesses();
  const lab = setUp([{ name: 'match', inputSchema: endless }, { name: 'get' }]);
  const hostile = Array.from({ length: 40 }, (_, at) => request('lab_match', { text }, `h${at}`));
  const results = await executeToolRequests([...hostile, request('lab_get', {}, 'benign')], {
    ...lab.options,
    config: { parallelExecution: true },
    checkAllowance: createCheckAllowance(100),
  });
  for (const result of results.slice(0, 40)) {
    expect(result).toMatchObject({ status: 'error', error: { code: 'invalid-arguments' } });
    expect(result.result).toContain(`The arguments were not checked against the inputSchema: ${spent}.`);
  }
  expect(results[40]).toMatchObject({ requestId: 'benign', status: 'success' });
  expect(processes.started).toBe(1);
});

test('a result that exceeds the allowance is marked as not checked, with the reason', async () => {
  const checkAllowance = createCheckAllowance(100);
  const data = JSON.stringify({ text });
  for (let at = 0; at < 2; at += 1) {
    const { unchecked } = await checkOutputFully(data, endless, { checkAllowance });
    expect(unchecked).toContain(`The data was not checked against the outputSchema: ${spent}.`);
  }
});
