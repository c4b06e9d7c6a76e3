import { expect, test } from 'vitest';

import type { CallRecord, WorkbenchTopic } from '../../../src-core/api/types.ts';
import { executeSingleRequest } from '../../../src-core/engine/executor.ts';
import { defaultToolCallConfig } from '../../../src-core/tools/calls.ts';
import { createToolRegistryManager } from '../../../src-core/tools/toolRegistryManager.ts';
import { createCallTracker } from '../../../src-core/workbench/callTracker.ts';
import { makeTool } from '../tools/testTool.ts';

test('lists of ended calls hear of ended calls only, not of what a call tells under way', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const announced: WorkbenchTopic[] = [];
  const atProgress: WorkbenchTopic[][] = [];
  toolRegistryManager.register(
    makeTool('lab', [
      {
        name: 'wait',
        handler: (_args, { onProgress }) => {
          for (let progress = 1; progress <= 3; progress += 1) {
            onProgress?.({ progress, total: 3 });
            atProgress.push(announced.splice(0));
          }
          return 'done';
        },
      },
    ]),
  );
  const kept: CallRecord[] = [];
  const tracker = createCallTracker({
    toolRegistryManager,
    history: { append: (record) => kept.push(record), list: () => kept },
    announce: (topic) => announced.push(topic),
  });
  await executeSingleRequest(
    { requestId: 'one', toolName: 'lab_wait', args: {} },
    {
      ...{ toolRegistryManager, caller: 'user', config: defaultToolCallConfig, newId: () => 'one' },
      ...tracker.follow('executor'),
    },
  );
  expect(kept).toHaveLength(1);
  expect(atProgress.slice(1)).toEqual([['calls'], ['calls']]);
  expect(announced).toEqual(['history', 'calls']);
});
