import { implement } from '@orpc/server';

import type { ModelsService } from '../../workbench/services.ts';
import { models as contract } from '../../contract/models.ts';

/** Chat models. */
export function modelsRouter(models: ModelsService) {
  const os = implement(contract);
  return os.router({
    list: os.list.handler(() => models.list()),
    presets: os.presets.handler(() => models.presets()),
    save: os.save.handler(({ input }) => models.save(input)),
    remove: os.remove.handler(async ({ input }) => {
      await models.remove(input.id);
      return {};
    }),
    setKey: os.setKey.handler(async ({ input }) => {
      await models.setKey(input);
      return {};
    }),
    clearKey: os.clearKey.handler(async ({ input }) => {
      await models.clearKey(input.id);
      return {};
    }),
    setDefault: os.setDefault.handler(({ input }) => {
      models.setDefault(input.id);
      return {};
    }),
    serverModels: os.serverModels.handler(({ input, signal }) => models.serverModels(input.id, signal)),
    test: os.test.handler(({ input, signal }) => models.test(input.id, signal)),
    scriptFormat: os.scriptFormat.handler(() => models.scriptFormat()),
    checkScript: os.checkScript.handler(({ input }) => models.checkScript(input.text)),
    startRecording: os.startRecording.handler(({ input }) => {
      models.startRecording(input.id);
      return {};
    }),
    stopRecording: os.stopRecording.handler(({ input }) => models.stopRecording(input.id)),
  });
}
