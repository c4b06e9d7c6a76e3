import type { EngineTexts } from '../createWording.ts';

/** Clusters: why a call did not run at another node, or may have run there. */
export const clusterTexts: EngineTexts = {
  '"{0}" belongs to the node "{1}". Do this in the window of that node.':
    '“{0}”属于节点“{1}”。请在该节点的窗口中操作。',
  '"{0}" ({1}) has no line with the seed of an nkey (SU…, 58 characters).':
    '“{0}”（{1}）中没有 nkey 种子（SU…，58 个字符）。',
  '"{0}" ({1}) cannot be read: {2}': '无法读取“{0}”（{1}）：{2~}',
  '"{0}" ({1}) has no certificate in the PEM format.': '“{0}”（{1}）中没有 PEM 格式的证书。',
  'Another device with this Device-Id is connected to the node "{0}".':
    '另一台使用此 Device-Id 的设备已连接到节点“{0}”。',
  'the device connected to the node "{0}".': '设备已连接到节点“{0}”。',
  'Entry {0} of {1} must be a secret of 32 to 256 letters, digits and "+/=-_", and may end with a time such as 2026-12-01T12:00:00Z. "openssl rand -base64 32" makes one.':
    '{1} 的第 {0} 项应为 32 至 256 个字符的密钥，只含字母、数字和“+/=-_”，后面可以注明时间，例如 2026-12-01T12:00:00Z。“openssl rand -base64 32”可生成密钥。',
  '"{0}" has been corrected. Its secrets are in use.': '“{0}”已更正，其中的密钥已启用。',
  '{0} must contain 1 to {1} token secrets.': '{0} 应包含 1 至 {1} 个令牌密钥。',
  'The first secret in {0} must not have a time.': '{0} 中的第一个密钥后面不能有时间。',
  'The sessions of the gateway are not kept.': '网关会话未能保留。',
  'The connection to the broker was lost.': '与消息服务器的连接已断开。',
  'No broker answers at {0} ({1}). Start nats-server there, or correct the address (--cluster).':
    '{0} 没有消息服务器应答（{1}）。请在该处启动 nats-server，或更正地址（--cluster）。',
  'The certificate of the broker is not trusted. Name the certificate of the authority that signed it (--cluster-ca).':
    '消息服务器的证书不受信任。请指定其签发机构的证书（--cluster-ca）。',
  'The broker refuses the nkey of this node. Add its public key to the users of the broker.':
    '消息服务器拒绝了本节点的 nkey。请把它的公钥加入消息服务器的用户。',
  'The broker requires credentials. Name the file of an nkey (--cluster-nkey), or put a user and a password into the address.':
    '消息服务器要求身份验证。请指定 nkey 文件（--cluster-nkey），或在地址中写明用户名和密码。',
  '"{0}" is not connected.': '“{0}”未连接。',
  'The connection to the node "{0}", which has the device, was lost.': '与设备所在节点“{0}”的连接已断开。',
  'The connection to "{0}" was lost while its node "{1}" was restarting.': '节点“{1}”重启期间，与“{0}”的连接断开了。',
  'This node has left the cluster.': '本节点已退出集群。',
  'The node "{0}", which has the device, does not answer.': '设备所在的节点“{0}”没有应答。',
  '{0} The call may have run.': '{0~}调用可能已经运行。',
  'The node "{0}" cannot be reached.': '无法连接节点“{0}”。',
  'The node "{0}" sent an unreadable answer. The call may have run.': '无法读取节点“{0}”的应答。调用可能已经运行。',
  'The device has reconnected, or has left its node "{0}".': '设备已重新连接，或已离开节点“{0}”。',
  'The device keeps moving between nodes.': '设备不断在节点之间切换。',
  'Too many calls wait at the node "{0}". Try again later.': '节点“{0}”上等待的调用太多。请稍后重试。',
  'The node "{0}" is about to restart and accepts no calls.': '节点“{0}”即将重启，不接受调用。',
  'The call reached the node "{0}" too late.': '调用到达节点“{0}”时已过期。',
  'The node "{0}" has a version of Toolwire that does not understand this call. Update the older one.':
    '节点“{0}”的 Toolwire 版本无法识别此调用。请更新版本较旧的节点。',
  'The tools of the device have changed. Call it again.': '设备的工具已更改。请重新调用。',
  'The node "{0}" cannot read the call.': '节点“{0}”无法读取此调用。',
  'The node "{0}" has another call with this id.': '节点“{0}”上已有使用此 ID 的调用。',
  'With these arguments, the message is longer than the {0} bytes that the broker accepts. Shorten the arguments, or raise "max_payload" on the broker.':
    '参数过长：消息超过消息服务器允许的 {0} 字节。请缩短参数，或调大消息服务器的“max_payload”。',
  'The broker is busy: it does not take messages fast enough. Try again later.':
    '消息服务器繁忙，来不及接收消息。请稍后重试。',
  'The node "{0}" has ended.': '节点“{0}”已退出。',
  'The node "{0}" no longer knows the call.': '节点“{0}”已没有此调用的记录。',
  'Toolwire is about to restart. Connect again.': 'Toolwire 即将重启，请重新连接。',
  'The node "{0}" does not answer.': '节点“{0}”没有应答。',
  'A node does not answer.': '有节点没有应答。',
  'The device has moved to this node. Call it again.': '设备已转到本节点。请重新调用。',
  'The call failed at the node of the device.': '调用在设备所在的节点上失败。',
  'Its node asks before it runs.': '设备所在的节点会在运行前询问。',
  'A tool is too large to be listed at other nodes.': '有一个工具过大，无法在其他节点列出。',
  'The tools are too large to be listed at this node.': '这些工具过大，无法在本节点列出。',
  '{0} Nothing ran.': '{0~}没有执行任何操作。',
  'The call was cancelled, and the node "{0}" does not answer.': '调用已取消，但节点“{0}”没有应答。',
  'The call was cancelled at the node "{0}".': '调用已在节点“{0}”上取消。',
  'The broker denies this node a permission: {0}. Add it to its user (docs/cluster.md).':
    '消息服务器未授予本节点权限：{0}。请将其添加到本节点所用用户的权限中（见 docs/cluster.md）。',
  'The broker denies this node permissions: {0} and {1} more. Add them to its user (docs/cluster.md).':
    '消息服务器未授予本节点权限：{0}，以及另外 {1} 项。请将它们添加到本节点所用用户的权限中（见 docs/cluster.md）。',
  'The broker denies this node permissions: {0} and at least {1} more. Add them to its user (docs/cluster.md).':
    '消息服务器未授予本节点权限：{0}，以及另外至少 {1} 项。请将它们添加到本节点所用用户的权限中（见 docs/cluster.md）。',
  'The node "{0}" does not know your decision on "{1}" yet. {2} Your decision is kept, and counts there as soon as it can be shared. To decide at once, use the window of that node.':
    '节点“{0}”尚不知道你对“{1}”的决定。{2~}你的决定已保留，恢复同步后即在该节点生效。如需立即生效，请在该节点的窗口中操作。',
  '"{0}" belongs to the node "{1}", which cannot be reached now.': '“{0}”属于节点“{1}”，目前无法访问该节点。',
  'Approvals cannot be shared now.': '批准目前无法同步。',
  'Approvals of devices are not shared: the broker has no JetStream. Add "jetstream" to its configuration (docs/cluster.md).':
    '设备的批准未共享：消息服务器没有启用 JetStream。请在其配置中加入“jetstream”（见 docs/cluster.md）。',
  'Set "allow_direct" of the stream "{0}" on the broker.': '请在消息服务器上为流“{0}”设置“allow_direct”。',
  'The clock of this machine is more than a day behind that of the broker. Correct it: until then, approvals are not shared.':
    '本机时钟比消息服务器的时钟慢一天以上。请校正时钟，在此之前批准不会共享。',
  'Another node is named "{0}", too. Give each node its own name (--node-name).':
    '另一个节点也叫“{0}”。请为每个节点指定不同的名称（--node-name）。',
  'The cluster has more than {0} other nodes. Further ones, and their devices, are not listed here.':
    '集群中的其他节点超过 {0} 个，超出的节点及其设备未在此列出。',
  'Some devices are not listed here: there are too many.': '设备过多，部分设备未在此列出。',
  'The call was cancelled by its caller.': '调用方已取消调用。',
  'The node of its caller was lost.': '与调用方节点的连接已断开。',
};
