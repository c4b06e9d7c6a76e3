import type { EngineTexts } from '../createWording.ts';

/** Realtime models, and the conversations with them. */
export const realtimeTexts: EngineTexts = {
  'The WAV file is {0} s long; {1} s can be read. Cut it.': 'WAV 文件长 {0} 秒；最多可读 {1} 秒。请剪短。',
  'The WAV file cannot be read: {0}.': '无法读取 WAV 文件：{0~}。',
  'it contains no sound': '其中没有声音',
  'it does not begin as a WAV file does': '开头不是 WAV 文件头',
  'its "fmt " chunk does not come before its sound': '"fmt " 块不在音频数据之前',
  'its "fmt " chunk is cut off': '"fmt " 块不完整',
  'its samples are compressed (format {0}); save it as PCM': '音频已压缩（格式 {0}）；请另存为 PCM',
  'it has {0} bits a sample; {1} can be read': '每个采样 {0} 位；支持 {1} 位',
  'it has {0} channels; 1 to 32 can be read': '有 {0} 个声道；支持 1 到 32 个',
  'it has {0} samples a second; 4,000 to 384,000 can be read': '每秒 {0} 个采样；支持 4,000 到 384,000 个',
  'the name of a header': '请求头的名称',
  'a header that the WebSocket does not set itself': '不由 WebSocket 自行设置的请求头',
  'a name of letters, digits, "_", "-" and "."': '由字母、数字、"_"、"-" 和 "." 组成的名称',
  'an event of the dialect, such as "response.cancel" or "response.audio.delta"':
    '方言中的事件，例如 "response.cancel" 或 "response.audio.delta"',
  'at most 4096 printable ASCII characters, or null': '最多 4096 个可打印的 ASCII 字符，或 null',
  'the path of a field of the session, such as "audio.input"': '会话字段的路径，例如 "audio.input"',
  '"{0}" must have a server name once only.': '“{0}”中同一个服务器名称只能出现一次。',
  'The address of a realtime server begins with wss:// or ws://.': '实时服务器的地址应以 wss:// 或 ws:// 开头。',
  'The address must not contain a user name or a password: the key has its own field.':
    '地址中不能含有用户名和密码：密钥请填在单独的输入框中。',
  "The model's name is missing.": '缺少模型名称。',
  'The address of the realtime server is missing.': '缺少实时服务器的地址。',
  'The server refused the key (HTTP 401). Check the key of this realtime model.':
    '服务器拒绝了密钥（HTTP 401）。请检查此实时模型的密钥。',
  'The key may not be used here (HTTP 403). Check the key, its region and its rights at {0}.':
    '此密钥不能在这里使用（HTTP 403）。请在 {0} 检查密钥、地域和权限。',
  "There is no realtime model at {0} (HTTP 404). Check the address and the model's name.":
    '{0} 上没有实时模型（HTTP 404）。请检查地址和模型名称。',
  '{0} answered HTTP {1} in place of a WebSocket. {2}': '{0} 返回了 HTTP {1}，而不是 WebSocket。{2~}',
  'Try again later.': '请稍后重试。',
  'Check the address and the model of this realtime model.': '请检查此实时模型的地址和模型名称。',
  'No connection to {0}: {1}. {2}': '无法连接 {0}：{1~}。{2~}',
  'Check the address and the network.': '请检查地址和网络。',
  'no program listens there': '没有程序在该地址监听',
  'the host has no address': '主机没有对应的地址',
  '{0} has not answered for {1} s.': '{0} 已有 {1} 秒没有应答。',
  'The connection to {0} broke: {1}.': '与 {0} 的连接中断：{1}。',
  '{0} closed the connection ({1}).': '{0} 关闭了连接（{1}）。',
  '{0} closed the connection ({1}). Check the key and the rights it has.':
    '{0} 关闭了连接（{1}）。请检查密钥及其权限。',
  'Check the key and the rights it has.': '请检查密钥及其权限。',
  'Choose the dialect OpenAI: this server has no beta events any more.':
    '请选择 OpenAI 方言：此服务器已不再支持 beta 事件。',
  'The documentation of this server explains its code.': '代码的含义请查阅此服务器的文档。',
  '{0} closed the connection ({1}). Choose the dialect OpenAI: this server has no beta events any more.':
    '{0} 关闭了连接（{1}）。请选择 OpenAI 方言：此服务器已不再支持 beta 事件。',
  '{0} closed the connection ({1}). The documentation of this server explains its code.':
    '{0} 关闭了连接（{1}）。代码的含义请查阅此服务器的文档。',
  'The server refused {0}. The session is set without it. The server said: {1}':
    '服务器拒绝了 {0}，会话已省略此设置。服务器返回：{1}',
  'Connected again after {0} s.': '{0} 秒后已重新连接。',
  '{0} does not support pictures ({1}).': '{0} 不支持图片（{1}）。',
  'The picture must have a type such as image/jpeg.': '图片必须有类型，例如 image/jpeg。',
  'The picture is empty.': '图片是空的。',
  'The picture has more than {0} bytes. Make it smaller.': '图片超过 {0} 字节。请缩小。',
  'The further session fields are not a JSON object: {0}.': '其他会话字段不是 JSON 对象：{0~}。',
  '{0} must be from {1} to {2}.': '{0} 必须在 {1} 到 {2} 之间。',
  'Toolwire is reconnecting to the model. Send the picture once it is connected.':
    'Toolwire 正在重新连接模型。请在连接后再发送图片。',
  '{0} The server said: {1}': '{0~}服务器返回：{1}',
  'Sound is whole samples of 16 bits: an even number of bytes.': '声音由完整的 16 位采样组成：字节数必须是偶数。',
  'Toolwire is reconnecting to the model. Your last words were lost: say them again.':
    'Toolwire 正在重新连接模型。刚才的语音已丢失，请再说一遍。',
  'The message is empty.': '消息是空的。',
  'The message is longer than {0} characters.': '消息超过 {0} 个字符。',
  'Toolwire is reconnecting to the model. Send the message once it is connected.':
    'Toolwire 正在重新连接模型。请在连接后再发送消息。',
  'No call {0} waits for an output: it has one, or never was.': '调用 {0} 没有在等待输出：已有输出，或从未存在。',
  'The connection was closed here.': '连接已在此关闭。',
  'Connecting was cancelled.': '连接已取消。',
  '{0} has not begun a session for {1} s. Check the address.': '{0} 已有 {1} 秒没有开始会话。请检查地址。',
  'Given up after {0} attempts.': '尝试 {0} 次后已停止。',
  '{0} Given up after {1} attempts.': '{0~}尝试 {1} 次后已停止。',
  '{0} Connecting again.': '{0~}正在重新连接。',
  'There is no connection to the model. Connect first.': '未连接模型。请先连接。',
  'A voice is a name of up to 200 characters.': '音色名称最多 200 个字符。',
  'A model cannot carry the tool name {0}: letters, digits, _ and -, at most 64.':
    '模型无法使用工具名 {0}：只能有字母、数字、_ 和 -，最多 64 个。',
  'Two tools have the name {0}. Give each its own.': '有两个工具都叫 {0}。请使用不同的名称。',
  'The parameters of {0} are not a schema: {1}.': '{0} 的参数不是 Schema：{1~}。',
  'The {0} are more than {1} {2}. Use fewer.': '{0~}超过 {1} 个{2~}。请减少。',
  'The server refused the session: {0}': '服务器拒绝了会话设置：{0}',
  'The connection was lost.': '连接已断开。',
  'The server has silently dropped {0} tools: {1}. This model may not support tools.':
    '服务器未作说明就忽略了 {0} 个工具：{1}。此模型可能不支持工具。',
  'The server stated no reason.': '服务器没有说明原因。',
  'The speech was not transcribed: {0}': '语音未能转写：{0}',
  'The output of {0} did not reach the model: {1}': '{0} 的输出未能发送给模型：{1~}',
  'The server has not answered session.update for {0} s. Try again, or reconnect.':
    '服务器已有 {0} 秒没有应答 session.update。请重试，或重新连接。',
  'The model called {0} without an id to answer to.': '模型调用了 {0}，但没有给出可供应答的 ID。',
  '{0} tools run already. Wait for their answers.': '已有 {0} 个工具在运行。请等待应答。',
  'The call names no tool.': '调用没有指明工具。',
  'The model takes sound of {0} Hz, this has {1} Hz. Resample it first.':
    '模型需要 {0} Hz 的音频，当前音频为 {1} Hz。请先重新采样。',
  'A chunk of type {0} has no way to the model.': '类型为 {0} 的数据块无法发送给模型。',
  'The conversation was closed.': '对话已关闭。',
  'This conversation no longer exists. Start another one.': '此对话已不存在。请开始新的对话。',
  '{0} conversations are open already. Close one first.': '已打开 {0} 个对话。请先关闭一个。',
  'This realtime model no longer exists. Choose another one.': '此实时模型已不存在。请另选一个。',
  'This realtime model was moved to another server meanwhile. Ask again.':
    '在此期间，此实时模型已换到另一个服务器。请重新操作。',
  'A realtime model cannot change its kind. Add a new one.': '无法更改实时模型的类型。请添加新模型。',
  'There are {0} realtime models already. Remove one first.': '已有 {0} 个实时模型。请先删除一个。',
  'There is no realtime model of this id.': '没有此 ID 的实时模型。',
  'Its realtime model was changed or removed.': '实时模型已更改或移除。',
  'It was closed here.': '已在此关闭。',
  'The log does not hold the end of this conversation.': '日志中没有此对话的结尾。',
  'There is no capture "{0}" of a conversation.': '没有对话抓包“{0}”。',
  'Name a conversation as id or an imported one as captureId, and only one of them.':
    '请用 id 指明对话，或用 captureId 指明导入的对话，两者只能选其一。',
  'Other server with OpenAI’s beta events': '其他使用 OpenAI beta 事件的服务器',
  'This conversation goes on. Close it first.': '此对话仍在进行。请先关闭。',
  'This conversation has ended: {0}': '此对话已结束：{0~}',
  'This conversation has no tool "{0}". Call one of those it has.': '此对话没有工具“{0}”。请调用对话中已有的工具。',
  'This call waits for no answer: it has one, or is run here.':
    '这次调用没有在等待应答：已有应答，或由 Toolwire 运行。',
  '{0} tools were left out: a model takes {1}. Choose which.':
    '有 {0} 个工具没有提供：模型最多接受 {1} 个。请选择要用的。',
  'The tools could not be changed: {0}': '无法更改工具：{0~}',
  'The connection has ended.': '连接已结束。',
  'The device has disconnected.': '设备已断开。',
  'The connection to the model was lost.': '与模型的连接已断开。',
  'The model takes no more sound at the moment; some was left out.': '模型暂时无法接收更多音频，部分音频没有送达。',
  'It took a session with a tool.': '服务器接受了带工具的会话。',
  'It drops tools silently: this model does not support tools.': '服务器未作说明就忽略了工具：此模型不支持工具。',
};
