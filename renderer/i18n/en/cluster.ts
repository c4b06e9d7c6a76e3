/** What the doctor says about two devices with one Device-Id. */
export const sameIdAdvice = {
  what: 'Another device has the same Device-Id, and both keep connecting.',
  why: 'Two boards have the same MAC address, or the same Device-Id in their configuration.\nA program connects with the Device-Id of this device.',
  next: 'Give one of them another Device-Id. The one that is connected stays; this one is let in when it has been quiet for a minute.',
};

export const cluster = {
  title: 'Cluster',
  text: 'Share devices with Toolwires on other machines over a NATS server. Each node lists the devices of all nodes and can call their tools.',
  url: 'Broker',
  urlHint: 'nats://HOST or tls://HOST. Separate several with commas. Empty: no cluster.',
  urlInvalid: 'Enter nats://HOST or tls://HOST, without a path. A user and a password are accepted only by --cluster.',
  name: 'Name of the cluster',
  nameHint: 'Clusters with different names do not see one another.',
  nameInvalid: 'Use 1 to 32 letters, digits, “-” and “_”.',
  nodeName: 'Name of this node',
  nodeNameHint: 'Empty: the name of this machine.',
  nkey: 'Nkey file',
  nkeyHint: 'A file with the seed of this node (SU…), if the broker requires one.',
  ca: 'Certificate file',
  caHint: 'The certificate of the authority that signed the broker’s certificate. The node then joins only over TLS.',
  tokens: 'Token secret file',
  tokensHint:
    'A file with the secrets of the device tokens, the same at all nodes. Empty: the environment variable TOOLWIRE_TOKEN_SECRET.',
  noTokenSecret:
    'This node has no token secret of the cluster: the tokens that it issues to devices are valid only here, and it refuses those of the other nodes. Set a token secret file, or TOOLWIRE_TOKEN_SECRET.',
  otherTokens:
    'Token secrets differ between this node and {names}: a device that moves between them is refused until it has a new token. Give all nodes the same secrets.',
  keepSessions: 'Keep gateway sessions',
  keepSessionsHint:
    'The last turn of each session of the LLM gateway is stored at the broker, so that it goes on if its node is lost.',
  join: 'Join',
  apply: 'Apply',
  leave: 'Leave',
  fixed: 'These settings are set by --cluster and the other options of the command line. They cannot be changed here.',
  joinFailed: 'The settings are saved, but the cluster was not joined',
  saveFailed: 'The settings were not saved',
  joined: 'Joined. No other node is live. | Joined, with {n} other node. | Joined, with {n} other nodes.',
  open: 'Cluster settings',
  notConnected: 'Cluster not connected',
  connecting: 'Connecting to the broker…',
  alone: 'The broker cannot be reached. Only the devices of this node are available.',
  refused: 'The broker refuses messages or subscriptions of this node. Correct its rights there.',
  needsUrl: 'Enter the address of the broker first.',
  proxy: 'Load balancer',
  proxyText: 'Only if devices connect through a load balancer or a reverse proxy. Also without a cluster.',
  publicUrl: 'Public address',
  publicUrlHint:
    'The address of the load balancer for devices, such as http://devices.example. Empty: the address that the device used.',
  publicUrlInvalid: 'Enter http://HOST or https://HOST, with a port but no path.',
  trusted: 'Trusted proxies',
  trustedHint:
    'IP addresses and ranges of proxies that report the addresses of their clients (PROXY protocol, X-Forwarded-For). List only proxies that report every client.',
  proxyFixed:
    'The load balancer is set by --public-url and --trusted-proxy on the command line. It cannot be changed here.',
  proxyFailed: 'The load balancer was not changed',
  nodes: 'Nodes',
  states: {
    self: 'This node',
    live: 'Live',
    suspect: 'Silent',
    lost: 'Lost',
    'other-version': 'Incompatible version',
  },
  restarting: 'Restarting',
  left: 'Left',
  devices: 'no devices | {n} device | {n} devices',
  calls: 'no calls | {n} call | {n} calls',
  search: {
    answered: '{n} of {all} nodes answered',
    missing: ' (not {names})',
    comma: ', ',
    at: 'This call is in the history of the node “{node}”.',
    atText: 'Only the beginning of its arguments and its result is shown. The window of that node has all of it.',
  },
  device: {
    at: 'At {node}',
    lost: 'Node not reachable',
    unshared: 'approval not shared with the other nodes yet',
    waitsText:
      'New device at the node “{node}”. If you approve it, its tools can be called at all nodes, and it reconnects to any of them without asking.',
    unsharedText:
      'You have approved it, but approvals cannot be shared now. The node “{node}” lets it in as soon as they can, or if you approve it there.',
    readyTitle: 'This device is connected to the node “{node}”.',
    readyText: 'You can call its tools here. Its wire, log and settings are in the window of that node.',
    logHere: 'Its earlier connections to this node',
    awayTitle: 'This device belongs to the node “{node}”.',
    awayText: 'Its tools cannot be called now. Its wire and log are in the window of that node.',
    lostTitle: 'The node “{node}” is not reachable.',
    lostBrokerTitle: 'This node is not connected to the cluster.',
    lostText: 'The state of the device is unknown. Its tools return when the node reconnects.',
  },
};
