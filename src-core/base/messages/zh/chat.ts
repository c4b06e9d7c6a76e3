import type { chat } from '../en/chat.ts';
import type { Translation } from '../message.ts';

export const zhChat: Translation<typeof chat> = {
  'chat.alwaysAsks': ({ danger }) => `此调用每次都会询问：${danger}请单独批准。`,
  'chat.exchangeGone': '这次请求与应答已不再保存：只保留最近 200 步。',
  'chat.full': ({ entries }) => `此对话已满，共 ${entries.toLocaleString('en')} 条。请开始新的对话。`,
  'chat.gone': '此对话不存在，可能已删除。',
  'chat.importCancelled': '导入已取消，没有添加对话。',
  'chat.noMessage': '此对话中没有这条消息。',
  'chat.noTool': '没有此名称的工具，因此无法在此对话中始终批准其调用。',
  'chat.notUsersMessage': '只有你自己的消息可以重新运行。',
  'chat.notWaiting': '这次调用已不再等待批准。',
  'chat.tooLarge': ({ megabytes, most }) =>
    `此对话有 ${megabytes} MB，最多向模型发送 ${most} MB。请重新运行较早的消息，或开始新的对话。`,
  'chat.turnEnded': '上一个回合已经结束。请发送消息。',
  'chat.turnRuns': '此对话有回合正在进行。请停止回合，或等待其结束。',
};
