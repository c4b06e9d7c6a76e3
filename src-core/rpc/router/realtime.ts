import { implement } from '@orpc/server';

import type { RealtimeService } from '../../features/realtime/service.ts';
import { realtime as contract } from '../../contract/realtime.ts';

/** Realtime models. */
export function realtimeRouter(realtime: RealtimeService) {
  const os = implement(contract);
  return os.router({
    profiles: os.profiles.handler(() => realtime.list()),
    saveProfile: os.saveProfile.handler(({ input }) => realtime.save(input)),
    removeProfile: os.removeProfile.handler(async ({ input }) => {
      await realtime.remove(input.id);
      return {};
    }),
    setDefault: os.setDefault.handler(({ input }) => {
      realtime.setDefault(input.id);
      return {};
    }),
    setKey: os.setKey.handler(async ({ input }) => {
      await realtime.setKey(input);
      return {};
    }),
    setForDevices: os.setForDevices.handler(({ input }) => {
      realtime.setForDevices(input);
      return {};
    }),
    test: os.test.handler(({ input, signal }) => realtime.test(input.id, signal)),
    checkScript: os.checkScript.handler(({ input }) => realtime.checkScript(input.text)),
    sessions: os.sessions.handler(() => realtime.sessions()),
    open: os.open.handler(({ input, signal }) => realtime.open(input, signal)),
    update: os.update.handler(({ input }) => realtime.update(input)),
    close: os.close.handler(async ({ input }) => {
      await realtime.closeSession(input.id);
      return {};
    }),
    remove: os.remove.handler(async ({ input }) => {
      await realtime.removeSession(input.id);
      return {};
    }),
    sendAudio: os.sendAudio.handler(async ({ input }) => {
      await realtime.sendAudio(input);
      return {};
    }),
    endAudio: os.endAudio.handler(async ({ input }) => {
      await realtime.endAudio(input.id);
      return {};
    }),
    sendText: os.sendText.handler(async ({ input }) => {
      await realtime.sendText(input);
      return {};
    }),
    sendImage: os.sendImage.handler(async ({ input }) => {
      await realtime.sendImage(input);
      return {};
    }),
    interrupt: os.interrupt.handler(async ({ input }) => {
      await realtime.interrupt(input);
      return {};
    }),
    answerCall: os.answerCall.handler(async ({ input }) => {
      await realtime.answerCall(input);
      return {};
    }),
    questions: os.questions.handler(() => realtime.questions()),
    decide: os.decide.handler(({ input }) => {
      realtime.decide(input);
      return {};
    }),
    attend: os.attend.handler(({ input }) => {
      realtime.attend(input.callId);
      return {};
    }),
    updates: os.updates.handler(({ input }) => realtime.updates(input)),
    event: os.event.handler(({ input }) => realtime.event(input)),
    voice: os.voice.handler(({ input, signal }) => realtime.voice(input.id, signal)),
    playOnDevice: os.playOnDevice.handler(({ input, signal }) => realtime.playOnDevice(input, signal)),
  });
}
