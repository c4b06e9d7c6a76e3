import type { calls } from '../en/calls.ts';
import type { Translation } from '../message.ts';

export const zhCalls: Translation<typeof calls> = {
  'calls.callRuns': ({ id }) => `ID 为“${id}” 的调用已在运行。每个调用要有自己的 ID。`,
  'calls.seriesRuns': ({ id }) => `ID 为“${id}” 的连续调用已在运行。每一组要有自己的 ID。`,
  'calls.runExists': ({ id }) => `ID “${id}” 已被占用。每次运行要有自己的 ID。`,
  'calls.tooManyRuns': ({ running }) => `已有 ${running} 个运行在进行。请先取消其中一个。`,
  'calls.noRun': ({ id }) => `没有运行“${id}”：Toolwire 已重新启动，或该运行早已结束。请查看历史。`,
  'calls.notInHistory': ({ callId }) => `历史里没有调用“${callId}”：因超出上限已被清除。`,
  'calls.notWaiting': '这次调用已不再等待。',
  'calls.noFileToReload': ({ toolId }) => `“${toolId}”没有可重新加载的文件。只有模块文件夹里的工具才有。`,
};
