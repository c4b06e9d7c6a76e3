import type { EngineTexts } from '../createWording.ts';

/** What is wrong with a field, a marker or the JSON of a call in a reply. */
export const replyTexts: EngineTexts = {
  'This field cannot be read, so the call is not run: {0}.': '此字段无法读取，所以不会执行这次调用：{0~}。',
  'Look at this field: {0}.': '请检查这个字段：{0~}。',
  'its colon is the full-width “：”': '冒号是全角的“：”，应改用半角的“:”',
  'it has no key before the colon': '冒号前面没有键',
  'a key cannot contain dots, so it reads as “{0}”': '键名不能含“.”，因此读作“{0}”',
  'its fences are not 「始」 and 「末」': '值的起止标记不是「始」和「末」',
  '“{0}” is not a key: keys contain only the letters A–Z, digits, “_” and “-”':
    '“{0}”不能作键：键只能由英文字母、数字、“_”和“-”组成',
  '“{0}” is not a key: it contains the invisible character {1}': '“{0}”不能作键：其中有看不见的字符 {1}',
  'The value of “{0}” ends at its first 「末」; another one follows. If the first belongs to the value, it needs ESCAPE.':
    '“{0}”的值在第一个「末」处就结束了，后面还有一个。如果前一个属于值本身，要用 ESCAPE。',
  'The text ends within {0}, so the reply was probably cut off: nothing of this block is run.':
    '起始标记 {0} 不完整，回复可能被截断，这个块不会执行。',
  '“{0}” is not a marker, so this call is not run. A block starts with {1}.':
    '“{0}”不是标记，所以不会执行这次调用。块以 {1} 开头。',
  '“{0}” is not a marker. A block starts with {1}.': '“{0}”不是标记。块以 {1} 开头。',
  '“{0}” and “{1}” are not markers, so this call is not run. A block starts with {2} and ends with {3}.':
    '“{0}”和“{1}”不是标记，所以不会执行这次调用。块以 {2} 开头，以 {3} 结尾。',
  '“{0}” and “{1}” are not markers. A block starts with {2} and ends with {3}.':
    '“{0}”和“{1}”不是标记。块以 {2} 开头，以 {3} 结尾。',
  '“{0}” is not a marker, so this block has no end and is not run. A block ends with {1}.':
    '“{0}”不是标记，这个块因此没有结尾，不会执行。块以 {1} 结尾。',
  '“{0}” is not a marker, so the fields before and after it belong to the same call.':
    '“{0}”不是标记，所以它前后的字段属于同一次调用。',
  '{0} that cannot be read, so the call is not run: {1}.': '{0~}无法读取，所以不会执行：{1~}。',
  '{0} has neither fields nor an end: nothing is run.': '{0} 没有字段，也没有结束标记：没有可执行的内容。',
  'This block has no {0} before the next one starts or the text ends: it is not run.':
    '这个块在下一个块开始前（或文本结束前）没有 {0}，所以不会执行。',
  'This call is written in JSON': '这个调用的 JSON ',
  'The arguments are a string of JSON': '参数里的 JSON 字符串',
  '{0} (and {1} more of its kind)': '{0~}（另有 {1} 处类似问题）',
  'text follows the JSON': 'JSON 后面还有文字',
  'a string is in quotes other than "': '字符串的引号不是半角双引号 "',
  'the text ends inside a string': '文本在字符串中间结束',
  'it is nested more than {0} levels deep': '嵌套超过 {0} 层',
  'this is not a valid JSON number': '这不是有效的 JSON 数字',
  'a value is expected here': '此处应为值',
  '{0} is not a JSON value': '“{0}”不是 JSON 的值',
  '{0} is written {1} in JSON': '“{0}”在 JSON 里应写成 {1}',
  'a key in double quotes is expected here': '此处应为带双引号的键',
  'a key has no quotes': '键没有加引号',
  '{0} closes nothing': '“{0}”没有对应的开头',
  '{0} is missing before {1}': '“{1}”前面缺少“{0}”',
  'there is a comma before {0}': '“{0}”前面多了一个逗号',
  'the colon is a full-width one': '冒号是全角的，应改用半角的“:”',
  'a colon is expected here': '此处应为冒号',
  'the comma is a full-width one': '逗号是全角的，应改用半角的“,”',
  'a comma or the end is expected here': '此处应为逗号或结尾',
  'a comma is missing': '缺少逗号',
  'the text ends before the JSON does': 'JSON 不完整，文本提前结束',
  "\\' is not a JSON escape": "\\' 不是 JSON 的转义",
  'a backslash does not begin a valid JSON escape': '反斜杠后面不是 JSON 的转义',
  'a string contains a line break': '字符串里有换行',
  'a string contains an unescaped {0}': '字符串里有未转义的 {0}',
  'The text has no call with the index {0}.': '文本中没有序号为 {0} 的调用。',
  'Tool calling is off, so no call runs. Turn it on in Settings → Tool calling.':
    '工具调用已关闭，因此不会执行任何调用。请在“设置 → 工具调用”中开启。',
};
