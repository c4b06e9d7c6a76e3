import type { EngineTexts } from '../createWording.ts';

/** What is wrong with a field or a marker of a call in a reply. */
export const replyTexts: EngineTexts = {
  'This field cannot be read, so the call is not run: {0}.': '这个字段读不出来，所以不会执行这次调用：{0~}。',
  'Look at this field: {0}.': '请检查这个字段：{0~}。',
  'its colon is the full-width “：”': '冒号是全角的“：”，应改用半角的“:”',
  'it has no key before the colon': '冒号前面没有键',
  'a key holds no dots, so it reads as “{0}”': '键里不能有点号，因此读作“{0}”',
  'its fences are not 「始」 and 「末」': '值的起止标记不是「始」和「末」',
  '“{0}” is no key: keys hold the letters A–Z, digits, “_” and “-” only':
    '“{0}”不能作键：键只能由英文字母、数字、“_”和“-”组成',
  '“{0}” is no key: it holds the invisible character {1}': '“{0}”不能作键：其中有看不见的字符 {1}',
  'The value of “{0}” ends at its first 「末」; another one follows. If the first belongs to the value, it needs ESCAPE.':
    '“{0}”的值在第一个「末」处就结束了，后面还有一个。如果前一个属于值本身，要用 ESCAPE。',
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
  'The text has no call with the index {0}.': '文本中没有序号为 {0} 的调用。',
  'Tool calling is off, so no call runs. Turn it on in Settings → Tool calling.':
    '工具调用已关闭，不会运行任何调用。请在“设置 → 工具调用”中打开。',
};
