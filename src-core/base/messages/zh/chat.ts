import type { chat } from '../en/chat.ts';
import type { Translation } from '../message.ts';

export const zhChat: Translation<typeof chat> = {
  'chat.alwaysAsks': ({ danger }) => `这个调用每次都要询问：${danger}请单独批准。`,
  'chat.exchangeGone': '这次往来已不再保留：只保留最近 200 步的。',
  'chat.full': ({ entries }) => `这个对话已满，共 ${entries.toLocaleString('en')} 条。请开始新的对话。`,
  'chat.gone': '这个对话不在了：已被删除，或从未存在。',
  'chat.importCancelled': '导入已取消，没有添加对话。',
  'chat.noMessage': '这个对话里没有这条消息。',
  'chat.noTool': '没有这个名称的工具，所以无法为本对话的后续调用一并批准。',
  'chat.notUsersMessage': '只有你自己的消息可以再次运行。',
  'chat.notWaiting': '这次调用已不再等待决定。',
  'chat.tooLarge': ({ megabytes, most }) =>
    `这个对话有 ${megabytes} MB，最多发送 ${most} MB 给模型。请重新运行较早的消息，或开始新的对话。`,
  'chat.turnEnded': '上一轮已经结束。请发送消息。',
  'chat.turnRuns': '这个对话正在进行一轮。请停止它，或等它结束。',
};
