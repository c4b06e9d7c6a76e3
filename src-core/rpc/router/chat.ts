import { implement } from '@orpc/server';

import type { ChatService } from '../../features/chat/service.ts';
import { chat as contract } from '../../contract/chat.ts';

/** Chats and their turns. */
export function chatRouter(chat: ChatService) {
  const os = implement(contract);
  return os.router({
    list: os.list.handler(() => chat.list()),
    create: os.create.handler(({ input }) => chat.create(input)),
    get: os.get.handler(({ input }) => chat.get(input)),
    send: os.send.handler(({ input }) => chat.send(input)),
    resume: os.resume.handler(({ input }) => {
      chat.resume(input);
      return {};
    }),
    decide: os.decide.handler(({ input }) => {
      chat.decide(input);
      return {};
    }),
    cancel: os.cancel.handler(({ input }) => ({ cancelled: chat.cancel(input) })),
    rerun: os.rerun.handler(({ input }) => chat.rerun(input)),
    rename: os.rename.handler(({ input }) => {
      chat.rename(input);
      return {};
    }),
    remove: os.remove.handler(async ({ input }) => {
      await chat.remove(input);
      return {};
    }),
    updateOptions: os.updateOptions.handler(({ input }) => chat.updateOptions(input)),
    withdrawApproval: os.withdrawApproval.handler(({ input }) => {
      chat.withdrawApproval(input);
      return {};
    }),
    exchange: os.exchange.handler(({ input }) => chat.exchange(input)),
    prompt: os.prompt.handler(({ input }) => chat.prompt(input)),
    promptSize: os.promptSize.handler(({ input }) => chat.promptSize(input)),
    exportChat: os.exportChat.handler(({ input }) => chat.exportChat(input)),
    importChat: os.importChat.handler(({ input, signal }) => chat.importChat(input, signal)),
  });
}
