import { readReplyFully } from '../../protocols/readReplyFully.ts';
import { RequestError } from '../../base/requestError.ts';
import { TooMuchWorkError } from '../../base/workBudget.ts';
import { parseReport } from './parseReport.ts';
import { createParserRuns, type ParserRunsOptions } from './parserRuns.ts';
import type { ParserService } from '../../workbench/services.ts';

/** What a text holds, and the run of its calls as an agent would run them. */
export function createParserService(options: ParserRunsOptions): ParserService {
  const { toolRegistryManager, settings } = options;
  const runs = createParserRuns(options);

  return {
    async parse({ text, dialect = settings().dialect }, signal) {
      try {
        return await parseReport({ text, dialect, toolRegistryManager, signal });
      } catch (error) {
        throw readingError(error);
      }
    },
    async *run({ text, call }, signal) {
      const { dialect, toolCallConfig } = settings();
      if (!toolCallConfig.enabled) {
        throw new RequestError('Tool calling is off, so no call runs. Turn it on in Settings → Tool calling.', {
          field: 'toolCallConfig.enabled',
        });
      }
      const reading = await readReplyFully(text, { dialect, signal }).catch((error: unknown) => {
        throw readingError(error);
      });
      yield* runs.run(reading, call, signal);
    },
    decide: (input) => runs.decide(input),
  };
}

function readingError(error: unknown): unknown {
  if (!(error instanceof TooMuchWorkError)) return error;
  return new RequestError(`Reading was stopped: ${error.message}. Give a shorter text, or try again later.`, {
    field: 'text',
    cause: error,
  });
}
