import type { EngineTexts } from '../createWording.ts';

/** Chats: their book, their turns, their files. */
export const chatTexts: EngineTexts = {
  'Toolwire failed to ask the model; its log says why.': 'Toolwire 无法请求模型，原因见日志。',
  'The reply is longer than {0} characters and was broken off there.': '回复超过 {0} 个字符，超出部分已截断。',
  'The chat cannot be imported. {0}: {1}.': '无法导入此对话。{0}：{1~}。',
  'it cannot be used: {0}': '无法使用：{0~}',
  '"{0}" is the id of an earlier entry, too': '“{0}”也是前面一条的 ID',
  'must be "{0}"; this is not an exported chat': '必须是 "{0}"；这不是导出的对话',
  '{0} is of a newer Toolwire. Update this one': '{0} 来自更新版本的 Toolwire。请更新 Toolwire',
  'must be {0}': '必须是 {0}',
  'the file does not have the form of a chat': '文件不是对话的格式',
  'must be a code such as "unknown-tool"': '必须是代码，例如 "unknown-tool"',
  'must name at most 2,000 tools': '最多列出 2,000 个工具',
  'the file has more than {0} characters': '文件超过 {0} 个字符',
  'it has more than {0} characters': '超过 {0} 个字符',
  'it has more than {0} values': '超过 {0} 个值',
  'it takes more than {0} s of processor time': '所需处理器时间超过 {0} 秒',
  'the file is not valid JSON: {0}': '文件不是有效的 JSON：{0~}',
  'The chat was exported before this call had a result.': '对话在这次调用得到结果之前导出。',
  'Toolwire ended before this call had a result.': 'Toolwire 在这次调用得到结果之前退出。',
  'Toolwire failed before this call had a result.': 'Toolwire 在这次调用得到结果之前发生故障。',
  'The reply broke off.': '回复中途断开。',
  'The turn was stopped.': '回合已停止。',
  'It did not run.': '调用未运行。',
  'It had already started and may have taken effect.': '调用已开始运行，可能已经生效。',
};
