import type { EngineTexts } from '../createWording.ts';

/** Realtime models, and the conversations with them. */
export const realtimeTexts: EngineTexts = {
  'The WAV file is {0} s long; {1} s can be read. Cut it.': 'WAV 文件长 {0} 秒；最多可读 {1} 秒。请剪短。',
  'The WAV file cannot be read: {0}.': '无法读取 WAV 文件：{0}。',
  'The address of a realtime server begins with wss:// or ws://.': '实时服务器的地址以 wss:// 或 ws:// 开始。',
  'The address must hold no name and password: the key has a field of its own.':
    '地址里不能有用户名和密码：密钥有单独的输入框。',
  "The model's name is missing.": '缺少模型名称。',
  'The address of the realtime server is missing.': '缺少实时服务器的地址。',
  'The server refused the key (HTTP 401). Check the key of this realtime model.':
    '服务器拒绝了密钥（HTTP 401）。请检查这个实时模型的密钥。',
  'The key may not be used here (HTTP 403). Check the key, its region and its rights at {0}.':
    '这个密钥不能在这里使用（HTTP 403）。请在 {0} 检查密钥、地域和权限。',
  "There is no realtime model at {0} (HTTP 404). Check the address and the model's name.":
    '{0} 上没有实时模型（HTTP 404）。请检查地址和模型名称。',
  '{0} answered HTTP {1} in place of a WebSocket. {2}': '{0} 答复了 HTTP {1}，而不是 WebSocket。{2~}',
  'Try again later.': '请稍后再试。',
  'Check the address and the model of this realtime model.': '请检查这个实时模型的地址和模型名称。',
  'No connection to {0}: {1}. {2}': '无法连接 {0}：{1~}。{2~}',
  'Check the address and the network.': '请检查地址和网络。',
  'nobody listens there': '那里没有程序在监听',
  'the host has no address': '主机没有地址',
  '{0} has not answered for {1} s.': '{0} 已有 {1} 秒没有答复。',
  'The connection to {0} broke: {1}.': '与 {0} 的连接中断：{1}。',
  '{0} closed the connection ({1}).': '{0} 关闭了连接（{1}）。',
  '{0} closed the connection ({1}). Check the key and the rights it has.':
    '{0} 关闭了连接（{1}）。请检查密钥和它的权限。',
  'Check the key and the rights it has.': '请检查密钥和它的权限。',
  'Choose the dialect OpenAI: this server has no beta events any more.':
    '请选择 OpenAI 方言：这台服务器已不再支持 beta 事件。',
  'The documentation of this server explains its code.': '代码的含义请查阅这台服务器的文档。',
  '{0} closed the connection ({1}). Choose the dialect OpenAI: this server has no beta events any more.':
    '{0} 关闭了连接（{1}）。请选择 OpenAI 方言：这台服务器已不再支持 beta 事件。',
  '{0} closed the connection ({1}). The documentation of this server explains its code.':
    '{0} 关闭了连接（{1}）。代码的含义请查阅这台服务器的文档。',
  'The server refused {0}. The session is set without it. The server said: {1}':
    '服务器拒绝了 {0}，会话已去掉这项设置。服务器说：{1}',
  'Connected again after {0} s.': '{0} 秒后已重新连接。',
  '{0} takes no pictures ({1}).': '{0} 不支持图片（{1}）。',
  'The picture must have a type such as image/jpeg.': '图片必须有类型，例如 image/jpeg。',
  'The picture is empty.': '图片是空的。',
  'The picture has more than {0} bytes. Make it smaller.': '图片超过 {0} 字节。请缩小。',
  'The further session fields are no JSON object: {0}.': '其他会话字段不是 JSON 对象：{0~}。',
  '{0} must be from {1} to {2}.': '{0} 必须在 {1} 到 {2} 之间。',
  'The connection to the model is being made again. Send the picture when it is back.':
    '正在重新连接模型。请在恢复后再发送图片。',
  '{0} The server said: {1}': '{0~}服务器说：{1}',
  'Sound is whole samples of 16 bits: an even number of bytes.': '声音由完整的 16 位采样组成：字节数必须是偶数。',
  'The connection to the model is being made again. What was said is lost: say it again.':
    '正在重新连接模型。刚才说的话丢失了：请再说一遍。',
  'The message is empty.': '消息是空的。',
  'The message is longer than {0} characters.': '消息超过 {0} 个字符。',
  'The connection to the model is being made again. Send the message when it is back.':
    '正在重新连接模型。请在恢复后再发送消息。',
  'No call {0} waits for an output: it has one, or never was.': '调用 {0} 没有在等待输出：它已有输出，或从未存在。',
  'The connection was closed here.': '连接在这里被关闭。',
  'Connecting was called off.': '连接已取消。',
  '{0} has not begun a session for {1} s. Check the address.': '{0} 已有 {1} 秒没有开始会话。请检查地址。',
  'Given up after {0} attempts.': '尝试 {0} 次后放弃。',
  '{0} Given up after {1} attempts.': '{0~}尝试 {1} 次后放弃。',
  '{0} Connecting again.': '{0~}正在重新连接。',
  'There is no connection to the model. Connect first.': '没有与模型的连接。请先连接。',
  'A voice is a name of up to 200 characters.': '音色是最多 200 个字符的名称。',
  'A model cannot carry the tool name {0}: letters, digits, _ and -, at most 64.':
    '模型无法使用工具名 {0}：只能有字母、数字、_ 和 -，最多 64 个。',
  'Two tools have the name {0}. Give each its own.': '两个工具都叫 {0}。请给它们各自的名称。',
  'The parameters of {0} are no schema: {1}.': '{0} 的参数不是 schema：{1}。',
  'The {0} are more than {1} {2}. Use fewer.': '{0~}超过 {1} 个{2~}。请减少。',
  'The server refused the session: {0}': '服务器拒绝了会话设置：{0}',
  'The connection was lost.': '连接已断开。',
  'The server has dropped {0} tools without a word: {1}. This model may take no tools.':
    '服务器悄悄丢弃了 {0} 个工具：{1}。这个模型可能不支持工具。',
  'The server gave no reason.': '服务器没有说明原因。',
  'What was said was not written down: {0}': '说的话没有转成文字：{0}',
  'The output of {0} did not reach the model: {1}': '{0} 的输出没有到达模型：{1~}',
  'The server has not answered session.update for {0} s. Try again, or reconnect.':
    '服务器已有 {0} 秒没有答复 session.update。请再试一次，或重新连接。',
  'The model called {0} without an id to answer to.': '模型调用了 {0}，但没有给出可供答复的 ID。',
  '{0} tools run already. Wait for their answers.': '已有 {0} 个工具在运行。请等它们答复。',
  'The call names no tool.': '调用没有写明工具。',
  'The model takes sound of {0} Hz, this has {1} Hz. Resample it first.':
    '模型要的是 {0} Hz 的声音，这里是 {1} Hz。请先重新采样。',
  'A chunk of type {0} has no way to the model.': '类型为 {0} 的数据块无法送到模型。',
  'The conversation was closed.': '会话已关闭。',
  'This conversation is not there any more. Begin another.': '这个会话不在了。请开始新的会话。',
  '{0} conversations are open already. Close one first.': '已打开 {0} 个会话。请先关闭一个。',
  'This realtime model is not there any more. Choose another one.': '这个实时模型不在了。请另选一个。',
  'This realtime model was moved to another server meanwhile. Ask again.':
    '这个实时模型已换到另一台服务器。请重新操作。',
  'A realtime model cannot change its kind. Add a new one.': '实时模型不能改变类型。请新建一个。',
  'There are {0} realtime models already. Remove one first.': '已有 {0} 个实时模型。请先删除一个。',
  'There is no realtime model of this id.': '没有这个 ID 的实时模型。',
  'Its realtime model was changed or removed.': '它的实时模型已更改或删除。',
  'It was closed here.': '在这里被关闭。',
  'The log does not hold the end of this conversation.': '日志里没有这个会话的结尾。',
  'There is no capture "{0}" of a conversation.': '没有会话抓包“{0}”。',
  'Name a conversation as id or an imported one as captureId, and only one of them.':
    '请用 id 指明一个会话，或用 captureId 指明一个导入的会话，两者只能有一个。',
  'This conversation goes on. Close it first.': '这个会话还在进行。请先关闭它。',
  'This conversation has ended: {0}': '这个会话已结束：{0~}',
  'This conversation has no tool "{0}". Call one of those it has.': '这个会话没有工具“{0}”。请调用它已有的工具。',
  'This call waits for no answer: it has one, or is run here.': '这次调用没有在等待答复：它已有答复，或由这里执行。',
  'The event {0} is not in the log. Its limit has let it go.': '日志里没有第 {0} 个事件：因超出上限已被清除。',
  '{0} tools were left out: a model takes {1}. Choose which.':
    '有 {0} 个工具没有提供：模型最多接受 {1} 个。请选择要用的。',
  'The tools could not be changed: {0}': '无法更改工具：{0~}',
  'The connection has ended.': '连接已结束。',
  'The device has left.': '设备已离开。',
  'The connection to the model was lost.': '与模型的连接已断开。',
  'The model takes no more sound at the moment; some was left out.': '模型暂时不再接收声音；有一部分没有送达。',
  'It took a session with a tool.': '它接受了带工具的会话。',
  'It drops tools without a word: this model takes none.': '它悄悄丢弃工具：这个模型不支持工具。',
};
