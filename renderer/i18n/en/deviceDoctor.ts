/** How to reconnect a disconnected device. */
const reconnect =
  'If it does not reconnect by itself, press its button, say the wake word, or start a conversation in py-xiaozhi.';

/**
 * The connection doctor: stages, and why a connection failed (docs/protocols/xiaozhi.md). Each line of `why` is one
 * cause.
 */
export const deviceDoctor = {
  title: 'How far the connection came',
  took: 'after {time}',
  pages: 'no pages | {n} page | {n} pages',
  comma: ', ',
  version: 'version {version}',
  /** Of `broken-frames`, if all of them have the same fault. */
  frameFault: {
    cut: 'A message was cut off before its end.',
    'not-utf8': 'A message is not valid UTF-8.',
    malformed: 'A message is not a JSON object with a type.',
    audio: 'Some of its audio frames cannot be read.',
  },
  usually: 'What usually causes this',
  next: 'What next',
  incomplete: '{tools}, incomplete',
  likely: 'Most often: {cause}',
  causes: 'Causes',
  step: {
    ota: 'OTA',
    tcp: 'Connection',
    hello: 'Hello',
    approval: 'Approval',
    initialize: 'Initialize',
    tools: 'Tools',
    call: 'Call {call}',
  },
  passed: {
    ota: 'OTA',
    tcp: 'Connected',
    hello: 'Hello',
    approval: 'Approved',
    initialize: 'Initialized',
    tools: 'Tools',
  },
  failed: {
    ota: 'OTA',
    tcp: 'Refused',
    hello: 'No hello',
    approval: 'Not approved',
    initialize: 'Not initialized',
    tools: 'Tools not listed',
  },
  state: {
    done: 'done',
    skipped: 'not needed',
    current: 'waiting',
    failed: 'stopped here',
    open: 'not yet',
  },
  cause: {
    'never-connected': {
      what: 'It asked for the address, and has not connected since.',
      why: 'A board connects only when its button is pressed or the wake word is said.\nA firewall lets the OTA request through, and not the WebSocket.',
      next: 'Press its button or say the wake word.',
    },
    'no-hello': {
      what: 'It is connected, and has said no hello.',
      why: 'Whoever connected speaks another protocol, or waits for the server to begin.\nThe firmware stopped between connecting and hello.',
      next: 'See in the wire below whether anything came at all, and whether the address ends in /xiaozhi/v1/.',
    },
    'not-hello': {
      what: 'Its first message was no hello.',
      why: 'It speaks bare MCP, without the xiaozhi envelope around it.\nA fork sends something else first.',
      next: 'Look at the first frame below. A device begins with a text frame of type hello.',
    },
    'no-token': {
      what: 'It brought no access token.',
      why: 'It never asked the OTA address here, which hands the token out.\npy-xiaozhi has no WEBSOCKET_ACCESS_TOKEN in its config, and sends “Bearer None”.',
      next: 'Point it at the OTA address, or give it the access token from “Connect a device”.',
    },
    'wrong-token': {
      what: 'Its access token is not one of ours.',
      why: 'It still holds the token of another server.\nToolwire runs with another data folder than when it handed the token out.',
      next: 'Restart the device, so that it asks OTA again, or give it the token from “Connect a device”.',
    },
    'waits-for-approval': {
      what: 'It is on the network and waits for your approval.',
      why: 'A device that connects from another machine for the first time needs approval.',
      next: 'Approve it if it is yours: models and clients can then call its tools, and it connects without asking from then on. If it gave up waiting, press its button again.',
    },
    refused: {
      what: 'It was rejected.',
      why: 'Somebody chose “Reject” for it here.',
      next: 'Approve it, then press its button again.',
    },
    'too-many-devices': {
      what: 'More devices are connected than there is room for.',
      why: 'A device in a boot loop opens one connection after the other.\nA script opens many and closes none.',
      next: 'Disconnect some, then connect this one again.',
    },
    'too-much-data': {
      what: 'It sent more than 16 kB before it was approved.',
      why: 'It sends audio or other messages without waiting for the answer to its hello.\nA program that is not a device uses this address.',
      next: 'Let it send only its hello, and wait for the answer. Then connect it again.',
    },
    'no-mcp': {
      what: 'Its hello does not offer MCP, so it has no tools to list.',
      why: 'Firmware before 1.7 speaks iot instead.\nMCP is switched off in this build.',
      next: 'Update the firmware. Its other frames are in the wire below all the same.',
    },
    'initialize-silent': {
      what: 'It did not answer initialize.',
      why: 'It is busy: the firmware answers nothing while a long call runs.\nA fork takes mcp frames and does nothing with them.',
      next: 'Fetch its tools again. If it stays silent, see below whether any mcp frame ever comes from it.',
    },
    'initialize-error': {
      what: 'It answered initialize with an error.',
      why: 'It expects another protocol version or other capabilities.',
      next: 'Read its words in the wire below. The tools may be there all the same: fetch them again.',
    },
    'list-silent': {
      what: 'It did not answer tools/list.',
      why: 'The answer was longer than 65,535 bytes: the firmware then sends nothing at all.\nA slow call is in front: the firmware answers one after the other.\nIt was woken right after it started.',
      next: 'Wait a moment, then fetch its tools again.',
    },
    'list-error': {
      what: 'It answered tools/list with an error.',
      why: 'One tool alone is longer than a page of 8,000 bytes.\nIt did not know the cursor of the next page.',
      next: 'Shorten the description of the tool that the error names. What came before it can be used.',
    },
    'list-incomplete': {
      what: 'Its tool list broke off half-way.',
      why: 'A page led back to an earlier one: py-xiaozhi does so if a tool is longer than a page.\nA page came back empty.',
      next: 'What came can be used. Shorten the tool that the last cursor names, then fetch the tools again.',
    },
    'no-tools': {
      what: 'It has no tools.',
      why: 'It was woken right after it started, before its tools were registered.\nThe build registers none.',
      next: 'Fetch its tools again in a moment.',
    },
    'left-before-ready': {
      what: 'It left before its tools were listed.',
      why: 'It restarted, or lost its Wi-Fi.\nIts button was pressed again, which ends the conversation.',
      next: 'Connect it again, and look at the last frames below.',
    },
    left: {
      what: 'It left.',
      why: 'The conversation ended: the firmware then closes without a close frame, which is code 1006.\nIt restarted, or lost its Wi-Fi.',
      next: reconnect,
    },
    'closed-here': {
      what: 'Toolwire closed the connection.',
      why: 'It was disconnected here, or the address for devices was changed.\nToolwire was closed, restarted or killed.\nIt did not read what was sent to it.',
      next: reconnect,
    },
    'left-during-call': {
      what: 'It left during a call.',
      why: 'The tool crashed the firmware, or the watchdog restarted it.\nThe board ran out of memory or power.\nIt lost its Wi-Fi.',
      next: `Read the serial log of the moment when it left. ${reconnect}`,
    },
    'left-as-asked': {
      what: 'It left to do what a call asked for.',
      why: 'A restart, an upgrade or another network ends the connection before the answer is sent.',
      next: 'Wait until it has started, then press its button or say the wake word.',
    },
    'broken-frames': {
      what: 'Some of its frames cannot be read.',
      why: 'The firmware sends messages that are not part of the protocol.\nA message is larger than Toolwire reads.',
      next: 'Filter the wire by the type invalid: those frames are kept as they came.',
    },
    idle: {
      what: 'It has been quiet for a while.',
      why: 'Between conversations a device has nothing to say.\nAfter 120 s without data the firmware opens a new connection at the next button press.',
      next: 'Nothing needs to be done. Calls still reach it.',
    },
  },
};
