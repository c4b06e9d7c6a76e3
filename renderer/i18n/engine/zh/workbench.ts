import type { EngineTexts } from '../createWording.ts';

/** The workbench itself: its settings, its files, its connection. */
export const workbenchTexts: EngineTexts = {
  'Toolwire failed to do this; its log says why.': 'Toolwire 无法完成此操作，原因见日志。',
  'The connection to the workbench ended before its answer came.': '应答到达之前，与 Toolwire 的连接已断开。',
  'The disk that holds {0} is full. Free some space and try again.': '{0} 所在的磁盘已满。请释放一些空间，然后重试。',
  '{0} is read-only. Allow Toolwire to write there and try again.': '{0} 是只读的。请允许 Toolwire 写入，然后重试。',
  '{0} cannot be written ({1}). Try again.': '无法写入 {0}（{1}）。请重试。',
  'The disk that holds {0} is full. Free some space, then start Toolwire again.':
    '{0} 所在的磁盘已满。请释放一些空间，然后重新启动 Toolwire。',
  '{0} is read-only. Allow Toolwire to write there, then start it again.':
    '{0} 是只读的。请允许 Toolwire 写入，然后重新启动。',
  '{0} can be written now. Start Toolwire again, then try again.':
    '{0} 现在可以写入了。请重新启动 Toolwire，然后重试。',
  '{0} is damaged ({1}). Start Toolwire again: it is moved aside then.':
    '{0} 已损坏（{1}）。请重新启动 Toolwire，启动时会将其移到别处。',
  'The date and time of this computer.': '本机的日期和时间。',
  'Get the current local date and time, as 2026-01-31 08:30:00.':
    '获取当前的本地日期和时间，例如 2026-01-31 08:30:00。',
  'Get the current local date, as 2026-01-31.': '获取当前的本地日期，例如 2026-01-31。',
  'The files below a directory of your choice.': '所选目录下的文件。',
  'List the files and directories below a directory, as a tree.': '以树状列出某个目录下的文件和目录。',
  'Directory to list, relative to the root.': '要列出的目录，相对于根目录。',
  'Also list the directories inside it.': '同时列出其中的子目录。',
  'How many levels to list when recursive.': '包含子目录时列出的层数。',
  'How many entries to list at most.': '最多列出的条目数。',
  'Toolwire is closing.': 'Toolwire 正在关闭。',
  'The file has more than {0} characters. Choose one that Toolwire exported.':
    '文件超过 {0} 个字符。请选择由 Toolwire 导出的文件。',
  'The file is not valid JSON: {0}. Choose one that Toolwire exported.':
    '此文件不是有效的 JSON：{0~}。请选择由 Toolwire 导出的文件。',
  'These are not settings of Toolwire, and nothing was changed.': '这不是 Toolwire 的设置，未进行任何更改。',
  'It has {0} more problems.': '另有 {0} 处问题。',
  '"{0}" must be {1}.': '“{0~}”必须是{1~}。',
  '{0!} must be {1}.': '{0~}必须是{1~}。',
  'one of {0}': '{0} 之一',
  '{0} or more': '{0} 或更大',
  '{0} or less': '{0} 或更小',
  'of length {0} or more': '长度不小于 {0} 的值',
  'of length {0} or less': '长度不超过 {0} 的值',
  '"{0}" must be {1}; a later one was written by a later Toolwire.':
    '“{0}”必须是 {1}；更大的值由更新版本的 Toolwire 写入。',
  '"{0}" must be an origin, such as http://localhost:8080.': '“{0}”必须是来源，例如 http://localhost:8080。',
  '"{0}" has unknown fields: {1}.': '“{0}”中有无法识别的字段：{1、}。',
  '"{0}" has an unknown field "{1}".': '“{0}”中有无法识别的字段“{1}”。',
  '{0!} has unknown fields: {1}.': '{0~}中有无法识别的字段：{1、}。',
  '{0!} has an unknown field "{1}".': '{0~}中有无法识别的字段“{1}”。',
  '{0} is damaged: it should be a JSON object of texts. Move it away and set the keys again.':
    '{0} 已损坏：应为值都是文本的 JSON 对象。请将其移走，然后重新设置密钥。',
};
