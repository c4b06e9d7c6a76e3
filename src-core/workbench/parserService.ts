import { randomUUID } from 'node:crypto';

import type { Settings } from '../api/types.ts';
import { formatResultsForContext, processToolCallCycle } from '../engine/engine.ts';
import { protocolOfReply } from '../protocols/readReply.ts';
import type { ErrorReporter } from '../tools/reportError.ts';
import type { ToolRegistryManager } from '../tools/toolRegistryManager.ts';
import { callPolicy } from './callPolicy.ts';
import type { CallTracker } from './callTracker.ts';
import { parseReport } from './parseReport.ts';
import type { ParserService } from './services.ts';

/** What a text holds, and the whole cycle over it as an agent would run it (seed 001 §4.6). */
export function createParserService(options: {
  toolRegistryManager: ToolRegistryManager;
  tracker: CallTracker;
  settings: () => Settings;
  onError: ErrorReporter;
}): ParserService {
  const { toolRegistryManager, tracker, settings, onError } = options;

  return {
    parse: ({ text, dialect = settings().dialect }) => parseReport({ text, dialect, toolRegistryManager }),
    async runCycle({ text, confirmed = false }, signal) {
      const current = settings();
      const policy = callPolicy(current);
      const protocol = protocolOfReply(text, { dialect: current.dialect });
      const cycle = await processToolCallCycle(text, {
        protocol,
        toolRegistryManager,
        ...policy,
        // By hand, and now: a person pressed Run, so `enabled` and `mode` have nothing to say.
        config: { ...policy.config, enabled: true, mode: 'auto' },
        caller: 'model',
        signal,
        ...(confirmed && { onBeforeExecute: () => true }),
        ...tracker.follow('parser'),
        newId: randomUUID,
        onError,
      });
      return { ...cycle, resultText: formatResultsForContext(cycle.executionResults, protocol) };
    },
  };
}
