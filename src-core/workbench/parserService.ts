import { randomUUID } from 'node:crypto';

import type { Settings } from '../api/types.ts';
import { formatResultsForContext } from '../engine/engine.ts';
import { executeToolRequests } from '../engine/executor.ts';
import { protocolOf } from '../protocols/readReply.ts';
import { readReplyFully } from '../protocols/readReplyFully.ts';
import { toParsedRequest } from '../protocols/toParsedRequest.ts';
import type { ErrorReporter } from '../tools/reportError.ts';
import { RequestError } from '../tools/requestError.ts';
import type { ToolRegistryManager } from '../tools/toolRegistryManager.ts';
import { TooMuchWorkError } from '../tools/workBudget.ts';
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
    async parse({ text, dialect = settings().dialect }, signal) {
      try {
        return await parseReport({ text, dialect, toolRegistryManager, signal });
      } catch (error) {
        throw readingError(error);
      }
    },
    async runCycle({ text, confirmed = false }, signal) {
      const { dialect } = settings();
      const reading = await readReplyFully(text, { dialect, signal }).catch((error: unknown) => {
        throw readingError(error);
      });
      const policy = callPolicy(settings());
      const parsedRequests = reading.requests.map(toParsedRequest);
      const executionResults = await executeToolRequests(parsedRequests, {
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
      return {
        hasToolRequests: parsedRequests.length > 0,
        parsedRequests,
        executionResults,
        resultText: formatResultsForContext(executionResults, protocolOf(reading.dialect)),
        skippedCalls: reading.omitted?.calls ?? 0,
      };
    },
  };
}

function readingError(error: unknown): unknown {
  if (!(error instanceof TooMuchWorkError)) return error;
  return new RequestError(`Reading was stopped: ${error.message}. Give a shorter text.`, {
    field: 'text',
    cause: error,
  });
}
