import { implement } from '@orpc/server';

import type { Services } from '../../workbench/services.ts';
import { devices as contract } from '../../contract/devices.ts';

/** Devices and their logs. */
export function devicesRouter({ devices, logs }: Pick<Services, 'devices' | 'logs'>) {
  const os = implement(contract);
  return os.router({
    list: os.list.handler(() => devices.list()),
    addVirtual: os.addVirtual.handler(({ input }) => devices.addVirtual(input)),
    disconnect: os.disconnect.handler(async ({ input }) => {
      await devices.disconnect(input.id);
      return {};
    }),
    pullPlug: os.pullPlug.handler(({ input }) => {
      devices.pullPlug(input.id);
      return {};
    }),
    press: os.press.handler(async ({ input }) => {
      await devices.press(input.id);
      return {};
    }),
    forget: os.forget.handler(({ input }) => {
      devices.forget(input.id);
      return {};
    }),
    refreshTools: os.refreshTools.handler(({ input, signal }) => devices.refreshTools(input.id, signal)),
    approve: os.approve.handler(({ input }) => {
      devices.approve(input);
      return {};
    }),
    refuse: os.refuse.handler(({ input }) => {
      devices.refuse(input.id);
      return {};
    }),
    send: os.send.handler(({ input }) => devices.send(input)),
    connectionFacts: os.connectionFacts.handler(() => devices.connectionFacts()),
    listen: os.listen.handler(async ({ input }) => {
      await devices.listen(input);
      return {};
    }),
    callFrames: os.callFrames.handler(({ input }) => logs.callFrames(input.callId)),
    log: os.log.handler(({ input }) => logs.log(input)),
    frame: os.frame.handler(({ input }) => logs.frame(input)),
    searchLog: os.searchLog.handler(({ input, signal }) => logs.search(input, signal)),
    clearLog: os.clearLog.handler(({ input }) => {
      logs.clear(input.id);
      return {};
    }),
  });
}
