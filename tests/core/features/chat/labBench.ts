import { openChatBench } from './chatBench.ts';
import type { ChatBenchOptions } from './chatBench.ts';
import { createTestModel } from './testModel.ts';
import type { TestStep } from './testModel.ts';

/** The schema of `lab_set`. */
export const volume = { properties: { volume: { type: 'integer', minimum: 0, maximum: 100 } }, required: ['volume'] };

/** A bench with one model and a tool that sets (and keeps what was sent), gets and fails. */
export function openLab(steps: TestStep[], options: ChatBenchOptions = {}) {
  const sent: unknown[] = [];
  const model = createTestModel(steps);
  const bench = openChatBench({
    models: { test: model },
    methods: [
      {
        name: 'set',
        inputSchema: volume,
        handler(args) {
          sent.push({ ...args });
          return 'set';
        },
      },
      { name: 'get', handler: () => ({ volume: 5 }) },
      { name: 'fail', handler: () => Promise.reject(new Error('The lamp is broken.')) },
    ],
    ...options,
  });
  return { ...bench, model, sent };
}
