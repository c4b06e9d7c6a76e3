import { implement } from '@orpc/server';

import type { CollectionsService } from '../../features/collections/service.ts';
import { pathProblem } from '../../features/collections/jsonPath.ts';
import type { RunsService } from '../../features/calls/runs/runsService.ts';
import { collections as contract } from '../../contract/collections.ts';

/** Saved calls in their folders, and runs of them. */
export function collectionsRouter(collections: CollectionsService, collectionRuns: RunsService['collections']) {
  const os = implement(contract);
  const done = async (work: Promise<unknown>): Promise<Record<string, never>> => {
    await work;
    return {};
  };
  return os.router({
    list: os.list.handler(() => collections.list()),
    open: os.open.handler(({ input }) => collections.open(input.folder)),
    create: os.create.handler(({ input }) => collections.create(input)),
    close: os.close.handler(({ input }) => done(collections.closeFolder(input.folder))),
    trust: os.trust.handler(({ input }) => {
      collections.trust(input);
      return {};
    }),
    call: os.call.handler(({ input }) => collections.call(input)),
    saveCall: os.saveCall.handler(({ input }) => collections.saveCall(input)),
    removeCall: os.removeCall.handler(({ input }) => done(collections.removeCall(input))),
    reorder: os.reorder.handler(({ input }) => done(collections.reorder(input))),
    variables: os.variables.handler(({ input }) => collections.variables(input)),
    saveVariables: os.saveVariables.handler(({ input }) => collections.saveVariables(input)),
    removeEnvironment: os.removeEnvironment.handler(({ input }) => done(collections.removeEnvironment(input))),
    secrets: os.secrets.handler(({ input }) => collections.secrets(input.folder)),
    setSecret: os.setSecret.handler(({ input }) => done(collections.setSecret(input))),
    filled: os.filled.handler(({ input }) => collections.filled(input)),
    checkPath: os.checkPath.handler(({ input }) => {
      const problem = pathProblem(input.path);
      return problem === undefined ? {} : { problem };
    }),
    check: os.check.handler(({ input }) => collections.check(input)),
    run: os.run.handler(({ input, signal }) => collectionRuns.run(input, signal)),
    follow: os.follow.handler(({ input, signal }) => collectionRuns.follow(input, signal)),
    runs: os.runs.handler(({ input }) => collections.runs(input)),
    latestRuns: os.latestRuns.handler(() => collections.latestRuns()),
    passedDurations: os.passedDurations.handler(({ input }) => collections.passedDurations(input)),
    record: os.record.handler(async ({ input }) => {
      await collections.record(input);
      return {};
    }),
  });
}
