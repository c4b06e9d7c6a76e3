/** The thread that checks a large value against a schema. */
import { parentPort, workerData } from 'node:worker_threads';

import { checkOutput } from './checkOutput.ts';
import type { CheckReply, CheckWork } from './checkThread.ts';
import { parseExactly } from './exactNumber.ts';
import type { JsonObject, JsonSchema } from './json.ts';
import { readArguments } from './readArguments.ts';
import { createWorkBudget } from './workBudget.ts';

function check(work: CheckWork): CheckReply {
  const schema = parseExactly(work.schema);
  const budget = createWorkBudget(work.limitMs);
  if (work.kind === 'output') return checkOutput(work.structuredContent, schema as JsonSchema, budget);
  const given = parseExactly(work.args) as JsonObject;
  const { args, issues, warnings, unchecked, allIssues } = readArguments({
    args: given,
    inputSchema: schema,
    source: work.source,
    budget,
  });
  return { args, issues, warnings, unchecked, allIssues };
}

parentPort?.postMessage(JSON.stringify(check(workerData as CheckWork)));
