import { implement } from '@orpc/server';

import type { Services } from '../workbench/services.ts';
import { readSettingsFile, writeSettingsFile } from '../features/settings/settingsFile.ts';
import { contract } from '../contract/contract.ts';
import { capturesRouter } from './router/captures.ts';
import { chatRouter } from './router/chat.ts';
import { collectionsRouter } from './router/collections.ts';
import { devicesRouter } from './router/devices.ts';
import { gatewayRouter } from './router/gateway.ts';
import { modelsRouter } from './router/models.ts';
import { realtimeRouter } from './router/realtime.ts';
import { removedRouter } from './router/removed.ts';
import { visionRouter } from './router/vision.ts';

/** The contract, answered by the workbench's services. Inputs have passed their schemas before they come here. */
export function createRouter(services: Services) {
  const os = implement(contract);
  const { topics, settings, tools, calls, parser, runs } = services;
  return os.router({
    workbench: {
      info: os.workbench.info.handler(() => services.info()),
      events: os.workbench.events.handler(({ signal }) => topics.subscribe(signal)),
      takeOpenings: os.workbench.takeOpenings.handler(() => services.openings.take()),
    },
    tools: {
      whenLoaded: os.tools.whenLoaded.handler(() => tools.whenLoaded().then(() => undefined)),
      changes: os.tools.changes.handler(({ input }) => tools.changes(input)),
      texts: os.tools.texts.handler(({ input }) => tools.texts(input)),
      reload: os.tools.reload.handler(({ input }) => tools.reload(input).then(() => undefined)),
      missing: os.tools.missing.handler(({ input }) => tools.missing(input)),
      prompt: os.tools.prompt.handler(({ input }) => tools.prompt(input)),
    },
    calls: {
      execute: os.calls.execute.handler(({ input, signal }) => calls.execute(input, signal)),
      executeInPieces: os.calls.executeInPieces.handler(({ input, signal }) => runs.calls.start(input, signal)),
      follow: os.calls.follow.handler(({ input, signal }) => runs.calls.follow(input.callId, signal)),
      repeat: os.calls.repeat.handler(({ input, signal }) => runs.series.start(input, signal)),
      followSeries: os.calls.followSeries.handler(({ input, signal }) => runs.series.follow(input.seriesId, signal)),
      cancel: os.calls.cancel.handler(({ input }) => ({ cancelled: runs.cancel(input.callId) })),
      running: os.calls.running.handler(() => calls.running()),
      recent: os.calls.recent.handler(({ input }) => calls.recent(input)),
      history: os.calls.history.handler(({ input }) => calls.history(input)),
      search: os.calls.search.handler(({ input, signal }) => calls.search(input, signal)),
      get: os.calls.get.handler(({ input }) => calls.get(input.callId)),
      names: os.calls.names.handler(() => calls.names()),
      copyAs: os.calls.copyAs.handler(({ input }) => calls.copyAs(input)),
    },
    parser: {
      parse: os.parser.parse.handler(({ input, signal }) => parser.parse(input, signal)),
      run: os.parser.run.handler(({ input, signal }) => runs.parser.start(input, signal)),
      follow: os.parser.follow.handler(({ input, signal }) => runs.parser.follow(input.runId, signal)),
      decide: os.parser.decide.handler(({ input }) => {
        parser.decide(input);
        return {};
      }),
    },
    devices: devicesRouter(services),
    captures: capturesRouter(services.captures),
    vision: visionRouter(services.vision),
    chat: chatRouter(services.chat),
    collections: collectionsRouter(services.collections, runs.collections),
    models: modelsRouter(services.models),
    gateway: gatewayRouter(services.gateway),
    realtime: realtimeRouter(services.realtime),
    removed: removedRouter(services.removed),
    runs: {
      list: os.runs.list.handler(({ input }) => runs.list(input.ids)),
      questions: os.runs.questions.handler(() => runs.questions()),
      decide: os.runs.decide.handler(({ input }) => {
        runs.decide(input);
        return {};
      }),
      attend: os.runs.attend.handler(({ input }) => {
        runs.attend(input.callId);
        return {};
      }),
    },
    settings: {
      get: os.settings.get.handler(() => settings.get()),
      set: os.settings.set.handler(({ input }) => settings.set(input)),
      export: os.settings.export.handler(() => writeSettingsFile(settings.get())),
      readExport: os.settings.readExport.handler(({ input }) => ({
        change: readSettingsFile(input.text, settings.get()),
      })),
    },
  });
}
