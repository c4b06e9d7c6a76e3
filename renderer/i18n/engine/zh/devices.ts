import type { EngineTexts } from '../createWording.ts';

/** Devices: how they are approved, their frames, tools, pictures, voices and captures. */
export const deviceTexts: EngineTexts = {
  '{0} is on this machine and needs no approval.': '{0} 在本机，不需要批准。',
  'Another connection of this name waits for approval already.': '已有同名的连接在等待批准。',
  '{0} has changed: its Client-Id is different now. Check it again.':
    '{0} 的 Client-Id 已更改，可能不是原来的设备。请重新查看。',
  '{0} sends no Device-Id, so it cannot be recognised later. Approve it while it waits.':
    '{0} 没有提供 Device-Id，因此下次无法识别。请在其等待时批准。',
  'A user rejected it. It asks again when it reconnects.': '用户已拒绝。设备重新连接时会再次请求批准。',
  'The connection to {0} accepts no more data. Let it reconnect.': '与 {0} 的连接不再接受数据。请让设备重新连接。',
  'A frame is either "text" or "base64". Pass one of them.': '帧只能是 text 或 base64。请提供其中之一。',
  '"base64" is not valid base64: letters, digits, + and /, ending in =.':
    'base64 无效：只能有字母、数字、+ 和 /，以 = 结尾。',
  'A request of ours with the id {0} waits for its answer. Use another; {1} is free.':
    'Toolwire 有一个 ID 为 {0} 的请求正在等待应答。请换一个 ID，例如 {1}。',
  'There is no fault "{0}". Choose of: {1}.': '没有故障“{0}”。可选：{1}。',
  'Line {0} of the capture cannot be read: {1}.': '无法读取抓包的第 {0} 行：{1~}。',
  'Line {0} of the capture cannot be read: "seq" must be larger than on the line before.':
    '无法读取抓包的第 {0} 行：“seq”必须比上一行大。',
  'Line {0} of the capture cannot be read: "{1}" must be within 366 days of "conversation.startedAt".':
    '无法读取抓包的第 {0} 行：“{1}”与“conversation.startedAt”相差不能超过 366 天。',
  'Line {0} of the capture cannot be read: the "text" of a {1} must be JSON.':
    '无法读取抓包的第 {0} 行：类型为 {1} 的帧，其 "text" 必须是 JSON。',
  'Line 1 of the capture cannot be read: {0}.': '无法读取抓包的第 1 行：{0~}。',
  'it is longer than {0} characters': '超过 {0} 个字符',
  '"{0}" must be {1}': '“{0}”必须是{1~}',
  '"in" or "out"': '"in" 或 "out"',
  '"gateway", "realtime", "mcp" or absent': '"gateway"、"realtime"、"mcp"，或不填',
  'a method, a status and headers of at most {0} characters': '方法、状态码和标头，合计最多 {0} 个字符',
  'a string of at most {0} characters': '最多 {0} 个字符的字符串',
  'the id of a connection': '连接的 ID',
  'a time in whole ms': '以整数毫秒表示的时间',
  'a number of ms': '毫秒数',
  'it is not valid JSON': '不是有效的 JSON',
  'it is not a JSON object': '不是 JSON 对象',
  'it is not the header of a capture, which begins with {"toolwire":"capture",…}':
    '不是抓包的文件头；文件头以 {"toolwire":"capture",…} 开头',
  '"exportedAt" must be a time in ms': '“exportedAt”必须是毫秒时间',
  'it is not valid JSON; a capture is JSON lines, the first of them its header':
    '不是有效的 JSON；抓包的每行是一个 JSON，第一行是文件头',
  '"{0}" must be a string of 1 to 200 characters': '“{0}”必须是 1 到 200 个字符的字符串',
  'The capture is of version {0}, from a newer Toolwire; this one reads version {1}. Update Toolwire.':
    '抓包的版本是 {0}，来自更新版本的 Toolwire；当前版本只能读取版本 {1}。请更新 Toolwire。',
  'It has no list of tools, so it cannot run as a device. Record a connection from its hello on.':
    '抓包中没有工具列表，无法作为设备运行。请从 hello 开始录制。',
  'A capture may have {0} frames; this one has more.': '此抓包超过上限 {0} 帧。',
  'This import is not under way. Begin again with the first part of the file.':
    '没有正在进行的导入。请从文件的第一部分重新开始。',
  'All captures together would take more than {0} MB. Remove one, or raise the limit for logs in the settings.':
    '全部抓包合计会超过 {0} MB。请移除一个抓包，或在设置中提高日志上限。',
  'Name a device, an MCP server, a capture, a conversation or a shared log, only one of them.':
    '请指定设备、MCP 服务器、抓包、对话或共享日志，只能指定一项。',
  'There is no conversation "{0}".': '没有对话“{0}”。',
  'Only logs of devices and MCP servers can be replayed.': '只有设备和 MCP 服务器的日志才能重放。',
  'Only logs of devices can run as a device.': '只有设备的日志才能作为设备运行。',
  'There is no log of an MCP server "{0}".': '没有 MCP 服务器“{0}”的日志。',
  'Name a source or a capture, and only one of them.': '请指定来源或抓包，只能指定其一。',
  'Name a conversation: each has a log of its own.': '请指定一个对话：每个对话都有单独的日志。',
  'Name an MCP server: each has a log of its own.': '请指定一个 MCP 服务器：每个服务器都有单独的日志。',
  'Name an MCP host: each has a log of its own.': '请指定一个 MCP 宿主：每个宿主都有单独的日志。',
  'There is no log of a device "{0}".': '没有设备“{0}”的日志。',
  'There is no capture "{0}".': '没有抓包“{0}”。',
  'It has {0} calls; at most {1} are run again. Pick some.': '其中有 {0} 次调用，最多重放 {1} 次。请选择一部分。',
  'The target of the calls is not connected, or has no tools.': '运行这些调用的设备或服务器未连接，或没有工具。',
  'Frame {0} is not in the log. It was deleted, by the limit for logs or by a user.':
    '日志中没有第 {0} 帧：日志达到上限后已将其删除，或用户已将其删除。',
  'Too many connections wait for approval. Try again later.': '等待批准的连接过多。请稍后重试。',
  'No device "{0}" is listed.': '列表中没有设备“{0}”。',
  '{0} devices are connected already. Disconnect one first.': '已连接 {0} 台设备。请先断开一台。',
  'It sent no token. Let it request the OTA address, or set the access token on it.':
    '设备没有提供令牌。请让设备请求 OTA 地址，或为其设置访问令牌。',
  'Its token is not from this Toolwire. Restart it, so that it requests the OTA address again.':
    '设备提供的不是此 Toolwire 的令牌。请重启设备，使其重新请求 OTA 地址。',
  '{0} is connected. Disconnect it first.': '{0} 已连接。请先断开。',
  '{0} is not connected.': '{0} 未连接。',
  'A device starts with {"type":"hello",…}; check that it is pointed at the right address.':
    '设备应以 {"type":"hello",…} 开始；请检查设备使用的地址是否正确。',
  'It opened the connection but sent no hello within {0} s.': '设备建立了连接，但 {0} 秒内没有发送 hello。',
  'Its first message is {0}, not a hello.': '设备的第一条消息是 {0}，不是 hello。',
  'It was not approved within {0} s. Approve it, then let it reconnect.':
    '{0} 秒内未获批准。请批准设备，再让其重新连接。',
  'It sent more than {0} kB before its hello was answered. Let it send only its hello, and wait for the answer.':
    '设备在收到 hello 的应答之前，发送了超过 {0} kB 的数据。请让设备只发送 hello 并等待应答。',
  'Another hello arrived.': '又收到一个 hello。',
  'Its hello does not offer "features":{"mcp":true}, so it has no tools.':
    '设备的 hello 没有声明 "features":{"mcp":true}，因此没有工具。',
  '{0} The connection is open; ask for the tools again, or restart the device.':
    '{0~}连接仍然有效；请刷新工具，或重启设备。',
  'The connection ended.': '连接已结束。',
  'initialize was answered with an error: {0}': 'initialize 返回了错误：{0}',
  'tools/list was answered with an error: {0}': 'tools/list 返回了错误：{0}',
  'tools/list was answered without a list "tools".': 'tools/list 的应答中没有列表 tools。',
  '{0} answered {1} #{2} with text that is {3}. Boards do not escape quotes in error messages; the original text is in the frame: {4}':
    '{0} 对 {1} #{2} 的应答{3~}。开发板不会转义错误消息中的引号；原始内容见帧：{4}',
  '{0} answered {1} #{2} with text that is {3}. Either a character was cut in two, or the text is in another encoding, such as GBK. The frame: {4}':
    '{0} 对 {1} #{2} 的应答{3~}。可能是字符被截断，或文本用了其他编码，例如 GBK。帧内容：{4}',
  '{0} answered {1} #{2} with JSON that is cut off: it ends after {3} bytes. Check the size of the buffer that the answer is written to. The frame: {4}':
    '{0} 对 {1} #{2} 的应答是不完整的 JSON：到第 {3} 字节就结束了。请检查写入应答的缓冲区是否太小。帧内容：{4}',
  '{0} answered {1} #{2} with text that does not begin as a JSON object. Check whether log output is written to the connection, or the memory of the answer is overwritten. The frame: {3}':
    '{0} 对 {1} #{2} 的应答不是以 JSON 对象开头。请检查是否有日志写进了连接，或应答所在的内存被改写。帧内容：{3}',
  '{0} answered {1} #{2} in a binary frame, which carries audio. Send it as a text frame. The frame: {3}':
    '{0} 用二进制帧应答了 {1} #{2}，而二进制帧用于音频。请改用文本帧发送。帧内容：{3}',
  '{0} answered {1} #{2} with {3} bytes, more than the {4} that are read. Let it return less per call, for example in parts.':
    '{0} 对 {1} #{2} 的应答有 {3} 字节，超过可读取的 {4} 字节。请减少每次返回的内容，例如分成几部分返回。',
  '{0} answered with an error: {1}': '{0} 返回了错误：{1}',
  '{0} answered request #{1} with neither a result nor an error.': '{0} 对请求 #{1} 的应答中既没有结果，也没有错误。',
  '{0}, before the request was sent.': '请求发出之前，{0~}。',
  'If it does not reconnect automatically, press its button, say the wake word, or start a conversation in py-xiaozhi.':
    '如果设备没有自动重连，请按下按键、说出唤醒词，或在 py-xiaozhi 中开始对话。',
  '{0} disconnected as {1} requires, {2} after the request.': '请求发出 {2} 后，{0} 按 {1} 的要求断开。',
  '{0}, {1} after request #{2} ({3}), without an answer.': '请求 #{2}（{3}）发出 {1} 后，{0~}，未收到应答。',
  '{0} disconnected {1} after the request, as this call requires. Boards do not answer this call.':
    '请求发出 {1} 后，{0} 已按此调用的要求断开。开发板不会应答此调用。',
  'A board sends no answer if it is larger than 65,535 bytes.': '应答超过 65,535 字节时，开发板不会发送。',
  'Boards read integers of 32 bits: the firmware reads {0}.': '开发板只读取 32 位整数：固件读到的是 {0}。',
  '{0} connected {1} times within 2 minutes.': '{0} 在 2 分钟内连接了 {1} 次。',
  'Toolwire ended while {0} was connected.': 'Toolwire 退出时，{0} 仍处于连接状态。',
  'Toolwire is closing': 'Toolwire 正在关闭',
  'disconnected by the user': '由用户断开',
  'the address for devices was changed': '设备端口的地址已更改',
  'the device connected again': '设备已重新连接',
  'it sends data without being approved': '设备未经批准就发送数据',
  'it does not read: {0} bytes wait for it': '设备没有读取数据：有 {0} 字节等待发送',
  'The connection to {0} was closed here: {1}.': 'Toolwire 关闭了与 {0} 的连接（{1~}）。',
  'The connection to {0} ended without a close frame (1006).': '与 {0} 的连接断开（1006，没有关闭帧）。',
  '{0} closed the connection with code {1}.': '{0} 关闭了连接，代码 {1}。',
  'Some tools may be missing.': '可能缺少一些工具。',
  'Further problems: {0}.': '另有 {0} 处问题。',
  'Page {0} did not arrive in time.': '第 {0} 页没有及时到达。',
  'Page {0} cannot be read; the log has its frame.': '第 {0} 页无法读取，对应的帧在日志中。',
  'Page {0} was answered with the error “{1}”.': '请求第 {0} 页时返回了错误“{1}”。',
  'Page {0} has no list "tools".': '第 {0} 页中没有列表 tools。',
  'The list is longer than {0} characters.': '列表超过 {0} 个字符。',
  'The list has more than {0} tools.': '列表中的工具超过 {0} 个。',
  'The list has more than {0} pages.': '列表超过 {0} 页。',
  'The cursor "{0}" was sent twice; a tool may be too large for a page.':
    '游标“{0}”出现了两次；可能有工具过大，一页放不下。',
  '"{0}" is listed twice; the first one is used.': '“{0}”列出了两次，以第一次为准。',
  'Tools are listed twice ({0}, such as "{1}"); the first one of each is used.':
    '有 {0} 个工具列出了两次，例如“{1}”，均以第一次为准。',
  'The inputSchema of "{0}" has the unknown type {1}.': '“{0}”的 inputSchema 中有未知的 type：{1}。',
  'An entry is not an object.': '有一项不是对象。',
  'An entry has no name.': '有一项没有名称。',
  'A name is longer than {0} characters.': '有一个名称超过 {0} 个字符。',
  '"{0}" has an inputSchema that is not an object.': '“{0}”的 inputSchema 不是对象。',
  '"{0}" has an inputSchema nested deeper than {1} levels.': '“{0}”的 inputSchema 嵌套超过 {1} 层。',
  'No answer to {0} within {1}.': '{1} 内没有收到对 {0} 的应答。',
  '{0} is not connected. Let it connect first.': '{0} 未连接。请先连接设备。',
  '{0} waits for approval. Approve it first.': '{0} 正在等待批准。请先批准。',
  '{0} has not sent its hello yet. Wait for it.': '{0} 尚未发送 hello。请稍候。',
  'That picture no longer exists: only the latest ones are kept.': '此图片已不存在：只保留最近的图片。',
  'The device is not connected. Let it connect first.': '设备未连接。请先连接设备。',
  'The device is not ready. Let it connect first.': '设备尚未就绪。请先连接设备。',
  '{0} lists no {1}. Boards with a screen list it among their manual-only tools.':
    '{0} 没有列出 {1}。带屏幕的开发板会将其列为仅限手动调用的工具。',
  'The device says that it sent a picture, but none arrived here.': '设备报告已发送图片，但这里没有收到。',
  'That question no longer waits for an answer: the device has one, or has given up.':
    '此问题已不再等待回答：设备已得到回答，或已停止等待。',
  'A board accepts an answer of less than 7,000 bytes. Shorten it.': '开发板只接受小于 7,000 字节的回答。请缩短。',
  'The device disconnected before the answer arrived.': '应答到达之前设备已断开。',
  'The model did not answer within {0} s, and the device no longer waits.': '模型在 {0} 秒内没有应答，设备已不再等待。',
  'The answer of the model has no text.': '模型的应答没有文本。',
  '{0} speaks with a model already. End that conversation first.': '{0} 已在与模型对话。请先结束该对话。',
  '{0} virtual devices run already. Disconnect one first.': '已有 {0} 台虚拟设备在运行。请先断开一台。',
  'Only a virtual device has a power switch here. Use Disconnect.': '只能切断虚拟设备的电源。请改用“断开”。',
  'Only a virtual device can play a file.': '只有虚拟设备可以播放文件。',
  'Only a connected virtual device has a button that you can press here.': '只能按下已连接的虚拟设备的按键。',
  'No device can connect: {0}': '设备无法连接：{0~}',
};
