import type { EngineTexts } from '../createWording.ts';

/** What is wrong with a field, a marker or the JSON of a call in a reply. */
export const replyTexts: EngineTexts = {
  'This field cannot be read, so the call is not run: {0}.': '{0~}。此字段无法读取，调用不会运行。',
  'Look at this field: {0}.': '请检查此字段：{0~}。',
  'its colon is the full-width “：”': '冒号是全角的“：”，应为半角的“:”',
  'it has no key before the colon': '冒号前面没有键',
  'a key cannot contain dots, so it reads as “{0}”': '键名不能含“.”，因此读作“{0}”',
  'its fences are not 「始」 and 「末」': '值的起止标记不是「始」和「末」',
  '“{0}” is not a key: keys contain only the letters A–Z, digits, “_” and “-”':
    '“{0}”不能作键：键只能由英文字母、数字、“_”和“-”组成',
  '“{0}” is not a key: it contains the invisible character {1}': '“{0}”不能作键：其中有不可见字符 {1}',
  'The value of “{0}” ends at its first 「末」; another one follows. If the first belongs to the value, it needs ESCAPE.':
    '“{0}”的值在第一个「末」处就结束了，后面还有一个。如果前一个属于值本身，请使用 ESCAPE。',
  'The text ends within {0}, so the reply was probably cut off: nothing of this block is run.':
    '起始标记 {0} 不完整，回复可能被截断，因此不会运行此块。',
  '“{0}” is not a marker, so this call is not run. A block starts with {1}.':
    '“{0}”不是标记，此调用不会运行。块应以 {1} 开头。',
  '“{0}” is not a marker. A block starts with {1}.': '“{0}”不是标记。块应以 {1} 开头。',
  '“{0}” and “{1}” are not markers, so this call is not run. A block starts with {2} and ends with {3}.':
    '“{0}”和“{1}”不是标记，此调用不会运行。块应以 {2} 开头，以 {3} 结尾。',
  '“{0}” and “{1}” are not markers. A block starts with {2} and ends with {3}.':
    '“{0}”和“{1}”不是标记。块应以 {2} 开头，以 {3} 结尾。',
  '“{0}” is not a marker, so this block has no end and is not run. A block ends with {1}.':
    '“{0}”不是标记，此块因此没有结尾，不会运行。块应以 {1} 结尾。',
  '“{0}” is not a marker, so the fields before and after it belong to the same call.':
    '“{0}”不是标记，因此它前后的字段属于同一次调用。',
  '{0!} that cannot be read, so the call is not run: {1}.': '{1~}。{0~}无法读取，因此不会运行。',
  '{0} has neither fields nor an end: nothing is run.': '{0} 没有字段，也没有结束标记：没有可运行的内容。',
  'This block has no {0} before the next one starts or the text ends: it is not run.':
    '此块在下一个块开始前（或文本结束前）没有 {0}，因此不会运行。',
  'This call is written in JSON': '此调用的 JSON ',
  'The arguments are a string of JSON': '参数中的 JSON 字符串',
  '{0!} (and {1} more of its kind)': '{0~}（另有 {1} 处类似问题）',
  'text follows the JSON': 'JSON 后面还有文字',
  'a string is in quotes other than "': '字符串的引号不是半角双引号 "',
  'the text ends inside a string': '文本在字符串中间结束',
  'it is nested more than {0} levels deep': '嵌套超过 {0} 层',
  'this is not a valid JSON number': '这不是有效的 JSON 数字',
  'a value is expected here': '此处缺少值',
  '{0} is not a JSON value': '“{0}”不是 JSON 的值',
  '{0} is written {1} in JSON': '“{0}”在 JSON 中应写成 {1}',
  'a key in double quotes is expected here': '此处应为带双引号的键',
  'a key has no quotes': '键没有加引号',
  '{0} closes nothing': '“{0}”没有对应的开头',
  '{0} is missing before {1}': '“{1}”前面缺少“{0}”',
  'there is a comma before {0}': '“{0}”前面多了一个逗号',
  'the colon is a full-width one': '冒号是全角的，应为半角的“:”',
  '“{0}” is full-width, where “{1}” is needed': '“{0}”是全角的，应为半角的“{1}”',
  'JSON has no comments': 'JSON 中不能有注释',
  'a colon is expected here': '此处应为冒号',
  'the comma is a full-width one': '逗号是全角的，应为半角的“,”',
  'a comma or the end is expected here': '此处应为逗号或结尾',
  'a comma is missing': '缺少逗号',
  'the text ends before the JSON does; add {0}': 'JSON 不完整，请补上 {0}',
  'the text ends before the JSON does; add a value': 'JSON 不完整，请补上值',
  'the text ends before the JSON does; add a key': 'JSON 不完整，请补上键',
  'the text ends before the JSON does; add a colon': 'JSON 不完整，请补上冒号',
  "\\' is not a JSON escape": "\\' 不是 JSON 的转义",
  'a backslash does not begin a valid JSON escape': '反斜杠后面不是 JSON 的转义',
  'a string contains a line break': '字符串中有换行',
  'a string contains an unescaped {0}': '字符串中有未转义的 {0}',
  'it is broken': '格式错误',
  'The value of “{0}” is not between {1} and {2}, so the block is not run.':
    '“{0}”的值没有写在{1}和{2}之间，因此不会运行此块。',
  'The value of “{0}” is not between {1} and {2}, so it is ignored.': '“{0}”的值没有写在{1}和{2}之间，因此会被忽略。',
  '“{0}” after the value of “{1}” belongs to no field, so it is ignored.':
    '“{1}”的值后面的“{0}”不属于任何字段，因此会被忽略。',
  'Put the values between {0} and {1}': '把值放到{0}和{1}之间',
  'Put the value between {0} and {1}': '把值放到{0}和{1}之间',
  'The control field “{0}” takes {1}, not “{2}”.': '“{0}”只能是 {1~}，不能是“{2}”。',
  'true or no_reply': 'true 或 no_reply',
  'full, text, last:N or semantic:N': 'full、text、last:N 或 semantic:N',
  'This block holds no field: there is nothing to run.': '此块没有任何字段，没有可运行的内容。',
  'tool_name is empty, so the block is not run: it must name a registered tool.':
    'tool_name 为空，因此不会运行此块。请填写已注册的工具名。',
  'The block has no tool_name, so it is not run. “{0}” is not the same: keys count upper and lower case.':
    '此块没有 tool_name，因此不会运行。“{0}”不是 tool_name：键区分大小写。',
  'The block has no tool_name, so it is not run.': '此块没有 tool_name，因此不会运行。',
  'The block holds more than {0} numbered calls, so none of them is run: split it into several blocks.':
    '此块中的编号调用超过 {0} 个，因此全部不会运行。请拆成几个块。',
  'The two characters \\n are read as a line break.': '\\n 这两个字符按换行读取。',
  '{0} is called with the same arguments more than once: it runs each time.':
    '以相同的参数多次调用了 {0}，每次都会运行。',
  'inline code': '行内代码',
  'a code fence': '代码块',
  'This call is in {0!}, so it is shown, not run.': '此调用写在{0~}中，只作展示，不会运行。',
  'This call is in code, so it is shown, not run.': '此调用写在代码中，只作展示，不会运行。',
  'This call is in the model’s reasoning, so it is not run.': '此调用写在模型的推理中，不会运行。',
  'This call is in a result that the model repeats, so it is not run: a result is data.':
    '此调用写在模型复述的结果中，不会运行：结果只是数据。',
  'This result block never ends: the rest of the text counts as its content, and no call in it is run.':
    '此结果块没有结束：后面的文本都算作其内容，其中的调用都不会运行。',
  '<{0}> is never closed: the rest of the text is reasoning, and no call in it is run.':
    '<{0}> 没有结束：后面的文本都算作推理，其中的调用都不会运行。',
  '<{0}> is never closed: the rest of the text belongs to it, and no call in it is run.':
    '<{0}> 没有结束：后面的文本都算作其内容，其中的调用都不会运行。',
  'This code fence is never closed, so it hides nothing: calls after it are read and run.':
    '此代码围栏没有结束，因此不起作用：后面的调用照常读取和运行。',
  'This host runs the call although {0!}.': '{0~}，但此宿主仍会运行。',
  'it is in code, which is not run': '此调用写在代码中，本不该运行',
  'it is in the model’s reasoning': '此调用写在模型的推理中',
  'it is in a repeated result, which is data': '此调用写在复述的结果中，结果只是数据',
  '“{0}” uses the retired fences 「始exp」…「末exp」, so the call is not run.':
    '“{0}”使用了已停用的「始exp」…「末exp」，此调用不会运行。',
  'VCP cannot pass the parameter “{0}”: a key has at least one character.': 'VCP 无法传递参数“{0}”：键不能为空。',
  'VCP cannot pass the parameter “{0}”: a key may contain only letters A–Z, digits, “_” and “-”.':
    'VCP 无法传递参数“{0}”：键只能由英文字母、数字、“_”和“-”组成。',
  'VCP cannot pass the parameter “{0}”: the protocol uses this key itself.':
    'VCP 无法传递参数“{0}”：此键是协议自用的键。',
  'VCP cannot pass the parameter “{0}”: hosts read this key as a control field.':
    'VCP 无法传递参数“{0}”：宿主会把此键读作控制字段。',
  'VCP cannot pass the parameter “{0}”: the key makes the block a serial block.':
    'VCP 无法传递参数“{0}”：此键会使块变为多个串行调用。',
  'The value of “{0}” has no {1}, so the call is not run.': '“{0}”的值没有{1}，此调用不会运行。',
  'The value of “{0}” ends with {1}, not with {2}, so the call is not run.':
    '“{0}”的值以{1}结尾，应以{2}结尾，此调用不会运行。',
  'A marker on a line of its own ends the value of “{0}”, so the call is not run. In an escaped value, the marker is plain text.':
    '“{0}”的值中有独占一行的标记，值到此中断，此调用不会运行。将值转义后，标记就只是数据。',
  'The value of “{0}” has no {1}, so the call is not run. It was probably meant to be “{2}”.':
    '“{0}”的值没有{1}，此调用不会运行。原意可能是“{2}”。',
  'The value of “{0}” ends with {1}, not with {2}, so the call is not run. It was probably meant to be “{3}”.':
    '“{0}”的值以{1}结尾，应以{2}结尾，此调用不会运行。原意可能是“{3}”。',
  '“{0}” comes more than once: the last value counts.': '“{0}”出现了多次，以最后一个值为准。',
  '{0} closes nothing: no block is open here.': '{0} 是多余的：这里没有未结束的块。',
  'These fields stand outside a block, so nothing is run: a call goes between {0} and {1}.':
    '这些字段不在块中，因此不会运行。调用要写在 {0} 和 {1} 之间。',
  'This block uses the retired marker TOOL_REQUEST_EXP, so it is not run.':
    '此块使用了已停用的标记 TOOL_REQUEST_EXP，因此不会运行。',
  'This block uses the marker TOOL_REQUEST_ESCAPE, which carries a call as data: it is not run.':
    '此块使用标记 TOOL_REQUEST_ESCAPE，表示其中的调用只是数据，因此不会运行。',
  'The host loses this block, since an ESCAPE value is never closed.': '有一个 ESCAPE 值没有结束，宿主会丢失此块。',
  'The host rejects the call: the block has no command.': '宿主会拒绝此调用：块中没有“command”。',
  'The host rejects the call: it cannot read the text after the last field.':
    '宿主会拒绝此调用：无法解析最后一个字段之后的文本。',
  'The block has no tool_name: the host calls “unknown_tool”, which fails.':
    '此块没有 tool_name：宿主会调用“unknown_tool”，调用会失败。',
  'This block has no end: the host does not see it.': '此块没有结束标记：宿主无法识别此块。',
  'This block has no end: the host stops reading here.': '此块没有结束标记：宿主从这里起不再读取。',
  '“{0}” comes more than once: this host keeps the first it finds.': '“{0}”出现了多次：此宿主以找到的第一个为准。',
  'The host drops “{0}”: it takes every object to have it already.': '此宿主会丢弃“{0}”：它认为所有对象都已有此键。',
  'The value of “{0}” is not closed: the host takes all up to the block’s end.':
    '“{0}”的值没有结束：此宿主会一直读到块尾。',
  'The host makes one backslash of two.': '此宿主会把两个反斜杠变成一个。',
  'The host takes the digits of “{0}” for a call number: it cuts them off. Calls that it runs: {1}.':
    '此宿主把“{0}”中的数字当作调用编号去掉，共运行 {1} 个调用。',
  'The host runs the {0} numbered calls of this block.': '宿主会运行此块中的 {0} 个编号调用。',
  '“{0}” is not closed on its own: the host takes the next field into its value.':
    '“{0}”的值没有自己的结束标记：此宿主会把下一个字段也读入这个值。',
  'The block before has no end: the host makes one call of both, and the first value of a key counts.':
    '前一个块没有结束标记：此宿主会把两个块合成一次调用，同一个键以第一个值为准。',
  'The block before has no end: the host makes one call of both, and the last value of a key counts.':
    '前一个块没有结束标记：此宿主会把两个块合成一次调用，同一个键以最后一个值为准。',
  'The host does not read the field of this fence: it is lost without a word.':
    '此宿主读不到这里的字段：字段会丢失，且没有任何提示。',
  'This ESCAPE is never closed: the host loses this block and every later one.':
    '此 ESCAPE 没有结束：宿主会丢失此块和后面所有的块。',
  'The host takes “{0}” for the key: what stands before the “{1}” is lost.':
    '此宿主把“{0}”当作键：“{1}”前面的部分会丢失。',
  'The host drops a key of this name.': '此宿主会丢弃这个名称的键。',
  'The host deletes the reasoning tags in this value, and the text between them.':
    '此宿主会删除这个值中的推理标签，以及标签之间的文本。',
  '{0} is missing. The call is whole and nothing follows it, so it is run.':
    '缺少 {0}。但调用完整，后面也没有其他内容，因此照常运行。',
  '{0} is missing, and text follows the call: it is not run.': '缺少 {0}，且调用后面还有文字，因此不会运行。',
  '{0} has neither a call nor an end: nothing is run.': '{0} 没有调用，也没有结束标记：没有可运行的内容。',
  '{0} closes nothing: no call is open here.': '{0} 是多余的：这里没有未结束的调用。',
  'There is nothing between these tags: nothing is run.': '标签之间没有内容：没有可运行的内容。',
  'This is not a call. A call is written {"name": "…", "arguments": {…}}.':
    '这不是调用。调用要写成 {"name": "…", "arguments": {…}}。',
  'The call names no tool, so it is not run: "name" must be that of a registered method.':
    '此调用没有工具名，因此不会运行。“name”必须是已注册的方法。',
  'The arguments are not a JSON object, so the call is not run.': '参数不是 JSON 对象，此调用不会运行。',
  'This call is within a line of other text, so it counts as an example and is not run.':
    '此调用写在一行文字中间，视为示例，不会运行。',
  'This describes a tool with its parameters; it calls nothing.': '这里只是描述工具及其参数，没有调用。',
  'This is a piece of a streamed answer: its call is not whole, so it is not run.':
    '这是流式回答的一小段，调用不完整，因此不会运行。',
  'This call is written in {0}, but the text is read as {1}, so the call does not run.':
    '此调用按 {0} 书写，而文本按 {1} 读取，因此不会运行。',
  'Add the end marker': '补上结束标记',
  'Write it as tool_name': '改为 tool_name',
  'Make them line breaks': '改为真正的换行',
  'Take the call out of {0!}': '把调用移出{0~}',
  'Take the call out of the code': '把调用移出代码',
  'Close it here with </{0}>': '在这里补上 </{0}>',
  'Close it with </{0}> at the end': '在末尾补上 </{0}>',
  'Close the fence before the call': '在调用之前结束代码围栏',
  'Close the fence at the end': '在末尾结束代码围栏',
  'Write the field as key:「始」value「末」': '改为 key:「始」value「末」',
  'Use 「始ESCAPE」…「末ESCAPE」': '改为「始ESCAPE」…「末ESCAPE」',
  'Close the value with {0}': '用{0}结束此值',
  'Escape the value, so that a marker in it is data': '把值转义，使其中的标记只作数据',
  'Remove the earlier one': '删除前一个',
  'Remove the marker': '删除此标记',
  'Remove the tag': '删除此标签',
  'Put the fields in a block': '把这些字段放进块中',
  'Take {0} out of the marker': '从标记中去掉 {0}',
  'Take {0} out of the markers': '从两个标记中去掉 {0}',
  'Correct the markers to {0} and {1}': '改为 {0} 和 {1}',
  'Correct the marker to {0}': '改为 {0}',
  'Add the tag {0}': '补上标签 {0}',
  'Make it JSON': '改为正确的 JSON',
  'Put it between tags': '放到标签之间',
};
