import type { EngineTexts } from '../createWording.ts';

/** Calls: their names, their confirmation, their way and their results. */
export const callTexts: EngineTexts = {
  'This call was not run: "{0}" was called {1} times in this turn with the same arguments. Use the results you have, or make another call.':
    '这次调用未运行：“{0}”在此回合中已用相同的参数调用了 {1} 次。请使用已有的结果，或换一个调用。',
  "The model's answer was cut at its limit of tokens, so this call is incomplete and was not run. Make the call with shorter arguments, or raise the limit of tokens.":
    '模型的回复达到 token 上限而被截断，因此这次调用不完整，没有运行。请缩短调用的参数，或提高 token 上限。',
  'The call was cancelled before it was sent.': '调用在发送之前已取消。',
  'The call was cancelled before it began.': '调用在开始之前已取消。',
  'The call was cancelled by the user.': '你已取消调用。',
  'The call was cancelled.': '调用已取消。',
  '{0} was cancelled.': '{0} 已取消。',
  '"{0}" disconnected just now, and its tools with it. {1}': '“{0}”刚刚断开，其工具也随之断开。{1~}',
  '"{0}" disconnected {1} ago, and its tools with it. {2}': '“{0}”于 {1} 前断开，其工具也随之断开。{2~}',
  '"{0}" cannot be reached: the connection to its node "{1}" was lost just now. Its tools return when it is connected again.':
    '无法访问“{0}”：与其节点“{1}”的连接刚刚断开。重新连接后，工具会恢复。',
  '"{0}" cannot be reached: the connection to its node "{1}" was lost {2} ago. Its tools return when it is connected again.':
    '无法访问“{0}”：与其节点“{1}”的连接已于 {2} 前断开。重新连接后，工具会恢复。',
  'If it does not restart automatically, start it in Servers. If you removed it, restore it from the trash.':
    '如果没有自动重新启动，请在“服务器”中启动；如果已将其移除，请从回收站恢复。',
  'Its tools return when it reconnects.': '重新连接后，工具会恢复。',
  'It belongs to another node: its tools return when that node and the device are connected again.':
    '它属于另一个节点：该节点和设备重新连接后，工具会恢复。',
  '"{0}" did not answer within {1}.': '“{0}”在 {1} 内没有应答。',
  '"{0}" did not answer within {1} after its last progress, {2}.': '“{0}”在最近一次进度 {2} 之后的 {1} 内没有应答。',
  '"{0}" did not answer within {1} in all. Its last progress was {2}.':
    '“{0}”在总共 {1} 内没有应答。最近一次进度为 {2}。',
  '"{0}" is withheld until the user accepts its definition in Servers.':
    '你在“服务器”中接受“{0}”的定义之前，暂不提供此工具。',
  '"{0}" did not answer within {1} s.': '“{0}”在 {1} 秒内没有应答。',
  'The device has sent nothing since the call was sent.': '发出调用后，设备没有发送任何内容。',
  'The last frame arrived {0} after the call was sent.': '最后一帧在调用发出 {0} 后到达。',
  'Meanwhile a frame arrived that matches no request: {0}. See the wire log.':
    '其间收到一个不对应任何请求的帧：{0~}。请查看收发记录。',
  'Meanwhile {0} frames arrived that match no request, the last: {1}. See the wire log.':
    '其间收到 {0} 个不对应任何请求的帧，最后一个：{1~}。请查看收发记录。',
  'its id is {0}': '其 ID 为 {0}',
  'it has no id': '没有 ID',
  'its id is not a number': '其 ID 不是数字',
  'its id is the text "{0}", not a number': '其 ID 是文本“{0}”，不是数字',
  'it is binary': '是二进制帧',
  'it has no payload object': '没有 payload 对象',
  'it is not valid JSON from character {0}': '从第 {0} 个字符起不是有效的 JSON',
  'it is not UTF-8 (byte {0} at position {1})': '不是 UTF-8（位置 {1} 处的字节 {0}）',
  'it is JSON, but not an object': '是 JSON，但不是对象',
  'it is a JSON object without a "type"': '是没有 "type" 的 JSON 对象',
  'it is not read: {0} bytes, more than the {1} that are read': '有 {0} 字节，超过上限 {1}，因此没有读取',
  '{0} calls wait for this device already. Try again when some are done.':
    '已有 {0} 个调用在等待这台设备。请待其中一些完成后重试。',
  'Tool calling is off, so no tool can be called.': '工具调用已关闭，无法调用任何工具。',
  'The tool "{0}" is switched off for this agent.': '工具“{0}”已对此智能体停用。',
  '"{0}" may be called by the user only.': '“{0}”只能由用户调用。',
  '"{0}" is not offered to this caller. Offer it in the settings of the gateway, or call it yourself.':
    '“{0}”未提供给此调用方。请在网关的设置中提供，或自行调用。',
  '"{0}" is not offered to this caller. Offer it in Servers, or call it yourself.':
    '“{0}”没有提供给此调用方。请在“服务器”中提供给它，或手动调用。',
  'Calls have to be confirmed before they run.': '调用在运行前需要确认。',
  '{0} This call has not been confirmed.': '{0~}这次调用尚未确认。',
  'The call was not run, because asking for it failed: {0}': '无法询问，因此调用没有运行：{0~}',
  'The user refused this call at the node "{0}".': '用户在节点“{0}”上拒绝了这次调用。',
  'The user refused this call at the node "{0}": {1}': '用户在节点“{0}”上拒绝了这次调用，理由：{1~}',
  'The user refused this call: {0}': '你拒绝了这次调用，理由：{0~}',
  'The user refused this call.': '你拒绝了这次调用。',
  'The tool "{0}" was changed or replaced before the call ran. Run the call again.':
    '工具“{0}”在调用运行前已更改或被替换。请重新运行调用。',
  'The call was not run, because the user made no decision. {0}': '没有得到你的决定，因此调用没有运行。{0~}',
  'The question was not answered within {0} s.': '询问在 {0} 秒内没有得到答复。',
  'The question was dismissed.': '询问已被关闭。',
  'The request cannot be read: {0}': '无法读取此请求：{0~}',
  'it returned no list of requests': '没有返回请求列表',
  '{0} of {1} entries are not requests': '{1} 项中有 {0} 项不是请求',
  'No protocol is registered as "{0}". {1}': '没有注册名为“{0}”的协议。{1~}',
  'None is registered.': '目前没有注册任何协议。',
  'Use one of: {0}.': '可用的有：{0}。',
  'The tool did not return an answer object.': '工具没有返回应答对象。',
  'The answer could not be read: {0}': '无法读取应答：{0~}',
  'The tool returned a value of type {0}, which has no text.': '工具返回了 {0} 类型的值，无法转为文本。',
  'The tool returned too much to convert to text.': '工具返回的内容过多，无法转为文本。',
  'The result of the tool cannot be converted to JSON: {0}': '工具返回的内容无法转为 JSON：{0}',
  'The tool returned {0}; at most {1} are passed on. Request less data from it.':
    '工具返回了 {0}，最多传递 {1}。请减少请求的内容。',
  'The tool reported an error without details.': '工具报告了错误，但没有说明详情。',
  'A call needs a tool name.': '调用需要工具名。',
  'The tool "{0}" failed to load. {1}': '工具“{0}”加载失败。{1~}',
  'The tool "{0}" has no method "{1}".': '工具“{0}”没有方法“{1}”。',
  'The tool has no function "{0}". Add it, or take the method out of getMetadata().':
    '工具没有名为“{0}”的函数。请添加该函数，或从 getMetadata() 中移除此方法。',
  '"parameters" must be an array of objects with a "name".': '“parameters”必须是由带“name”的对象组成的数组。',
  'The tool "{0}" has two methods named "{1}".': '工具“{0}”有两个名为“{1}”的方法。',
  'The tool could not describe itself: {0}.': '无法获取工具的描述：{0~}。',
  'its metadata has no list of methods': '其元数据中没有方法列表',
  '{0} of {1} methods have no usable name or a name used twice: {2}.': '{1} 个方法中有 {0} 个名称不可用或重复：{2、}。',
  '{0} means more than one method: {1}. Name the tool in tool_name and the method in command.':
    '{0~}对应不止一个方法：{1、}。请用 tool_name 指明工具，用 command 指明方法。',
  '{0} means more than one method: {1}. Write one of {2} in command.':
    '{0~}对应不止一个方法：{1、}。请在 command 中填写 {2、} 之一。',
  'No tool is named. Write toolId_methodName, or the tool id and a command.':
    '没有指明工具。请使用 toolId_methodName，或工具 ID 加命令。',
  '"{0}" names a tool but none of its methods. {1}': '“{0}”是工具，但没有指明方法。{1~}',
  '"{0}" names a tool but none of its methods.': '“{0}”是工具，但没有指明方法。',
  'Add the method as command, or use {0}.': '请用 command 指明方法，或改用{0、}。',
  '"{0}" is a method, but its tool is not named. {1}': '“{0}”是方法，但没有指明工具。{1~}',
  '"{0}" is a method, but its tool is not named.': '“{0}”是方法，但没有指明工具。',
  'Did you mean {0}?': '是不是{0、}？',
  '{0} does not list a tool "{1}".': '{0} 的工具列表中没有“{1}”。',
  'The text has no call with the index {0}.': '文本中没有序号为 {0} 的调用。',
  'Tool calling is off, so no call runs. Turn it on in Settings → Tool calling.':
    '工具调用已关闭，因此不会运行任何调用。请在“设置 → 工具调用”中开启。',
  'No folder is chosen yet. In Settings, choose the folder that tools may list.':
    '尚未选择目录。请在“设置”中选择工具可以列出的目录。',
  'The folder chosen in Settings {0}.': '在“设置”中选择的目录{0~}。',
  'The path "{0}" {1!}.': '路径“{0}”{1~}。',
  'does not exist': '不存在',
  'cannot be read ({0})': '无法读取（{0}）',
  'The path "{0}" cannot be listed ({1}).': '路径“{0}”无法列出（{1}）。',
  'The path "{0}" is a file, not a directory.': '路径“{0}”是文件，不是目录。',
  'The path "{0}" holds a NUL character.': '路径“{0}”含有 NUL 字符。',
  'The path "{0}" is absolute; write it relative to the root, such as "src/tools", or "." for the root itself.':
    '路径“{0}”是绝对路径。请写成相对于根目录的路径，例如 "src/tools"；根目录本身写作 "."。',
  'The path "{0}" leads out of the root directory.': '路径“{0}”超出了根目录。',
  'The path "{0}" is a link that leads out of the root directory.': '路径“{0}”是指向根目录之外的链接。',
  'No tool is registered for {0}.': '找不到{0、}对应的工具。',
  'tool "{0}" with method "{1}"': '工具“{0}”的方法“{1}”',
  '"{0}" with command "{1}"': '“{0}”（命令“{1}”）',
  'No tools are registered at all.': '目前没有注册任何工具。',
  '"{0}" "{1}" is not registered any more.': '“{0}”的“{1}”已不再注册。',
  'The run failed without a reason.': '运行失败，没有给出原因。',
  'The call "{0}" is not in the history.': '历史中没有调用“{0}”。',
  'The series ended: no call of it can succeed.': '重复调用已结束：后续调用都不可能成功。',
  'The series was ended.': '重复调用已结束。',
  'The work ended without a result.': '代码已结束，但没有返回结果。',
  'An empty value was thrown.': '抛出了空值。',
  'A value was thrown that has no text.': '抛出的值无法转为文本。',
  'Not sent. Default in the schema: {0}.': '不发送（默认值：{0}）。',
  'The call was cancelled while its server was not connected. The server may still work on the task.':
    '调用在服务器未连接时取消。服务器可能仍在执行该任务。',
  'The server was removed. Whether the task was finished is not known.': '服务器已移除。无法得知任务是否完成。',
  'The server no longer knows the task: {0} Whether the tool has run is not known.':
    '服务器已没有此任务的记录：{0} 无法得知工具是否已运行。',
  'Toolwire ended before this call had a result. Whether the tool has run is not known. Check what the call would have changed before you run it again.':
    'Toolwire 在此调用得到结果之前退出，无法得知工具是否已运行。重新运行前，请先检查此调用可能做出的更改。',
};
