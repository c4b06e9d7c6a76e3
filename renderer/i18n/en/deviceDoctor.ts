import { sameIdAdvice } from './cluster.ts';

/** How to reconnect a disconnected device. */
const reconnect =
  'If it does not reconnect, press its button, say the wake word, or start a conversation in py-xiaozhi.';

/** The connection doctor: stages, and why a connection failed (docs/protocols/xiaozhi.md). Each line of `why` is one cause. */
export const deviceDoctor = {
  title: 'Connection steps',
  took: 'after {time}',
  pages: 'no pages | {n} page | {n} pages',
  comma: ', ',
  version: 'version {version}',
  /** Of `broken-frames`, if all of them have the same fault. */
  frameFault: {
    foreign: 'A message does not begin as a JSON object.',
    cut: 'A message was cut off before its end.',
    'not-utf8': 'A message is not valid UTF-8.',
    malformed: 'A message is not a JSON object with a type.',
    binary: 'JSON was sent in a binary frame.',
    audio: 'Some of its audio frames cannot be read.',
  },
  usually: 'Other causes',
  showCall: 'Show call {call}',
  next: 'Next step',
  untilCall: 'This stays until a call succeeds.',
  incomplete: '{tools}, incomplete',
  likely: 'Most likely: {cause}',
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
    ota: 'OTA refused',
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
  /** The cause `left` of a virtual device that can be powered on. */
  powerCut: { why: 'Its power was cut.', next: 'Power it on.' },
  cause: {
    'never-connected': {
      what: 'The device requested the address but has not connected.',
      why: 'A board connects only when its button is pressed or the wake word is said.\nA firewall allows the OTA request but blocks the WebSocket.',
      next: 'Press its button or say the wake word.',
    },
    'ota-refused': {
      what: 'Its OTA request was refused: the body is not a JSON object (HTTP 400) or is larger than 16 kB (HTTP 413).',
      why: 'The JSON of the system information is cut off or malformed.\nThe body is a form, or is compressed.',
      next: 'Send the system information as a JSON object of at most 16 kB, or no body at all.',
    },
    'no-hello': {
      what: 'Connected, but no hello received.',
      why: 'The client uses another protocol, or waits for the server to start.\nThe firmware stopped between connecting and hello.',
      next: 'Check Wire for any frames, and check that the address ends in /xiaozhi/v1/.',
    },
    'not-hello': {
      what: 'The first message was not a hello.',
      why: 'It uses plain MCP, without the xiaozhi envelope.\nA fork of the firmware sends something else first.',
      next: 'Check the first frame below. A device starts with a text frame of type hello.',
    },
    'no-token': {
      what: 'No access token was sent.',
      why: 'It never requested the OTA address here, which issues the token.\npy-xiaozhi has no WEBSOCKET_ACCESS_TOKEN in its config and sends “Bearer None”.',
      next: 'Point it at the OTA address, or give it the access token from “Connect a device”.',
    },
    'wrong-token': {
      what: 'The access token is not valid here.',
      why: 'It still has the token of another server.\nToolwire runs with another data directory than when it issued the token.',
      next: 'Restart the device so that it requests OTA again, or give it the token from “Connect a device”.',
    },
    'waits-for-approval': {
      what: 'The device waits for your approval.',
      why: 'A device that connects from another machine for the first time needs approval.',
      next: 'Approve it if it is yours: models and clients can then call its tools, and it connects without asking from then on. If it has disconnected, press its button again.',
    },
    'approved-away': {
      what: 'It is approved, but has not reconnected yet.',
      why: 'A board that is no longer waiting reconnects only when its button is pressed or the wake word is said.',
      next: 'Press its button or say the wake word.',
    },
    refused: {
      what: 'The device was rejected.',
      why: '“Reject” was chosen for it in Toolwire.',
      next: 'Approve it, then press its button again.',
    },
    'too-many-devices': {
      what: 'Too many devices are connected.',
      why: 'A device in a boot loop keeps opening connections.\nA script opens connections without closing them.',
      next: 'Disconnect some devices, then reconnect this one.',
    },
    'same-id': sameIdAdvice,
    'mac-shared': {
      what: 'Two clients with the same Device-Id replace each other’s connections.',
      why: 'Two boards have the same MAC address.',
      next: 'Give one of the boards another MAC address. This disappears when it next connects while no other client uses its Device-Id.',
    },
    reconnects: {
      what: 'The device connects again and again.',
      why: 'It restarts (a crash, the watchdog, or too little power).\nIt loses Wi-Fi.\nTwo boards have the same MAC address.',
      next: 'Check the serial log. This disappears when the device connects fewer than ten times in two minutes.',
    },
    'too-much-data': {
      what: 'More than 16 kB were sent before approval.',
      why: 'It sends audio or other messages before its hello is answered.\nA program that is not a device uses this address.',
      next: 'Make it send only its hello and wait for the answer, then reconnect it.',
    },
    'no-mcp': {
      what: 'Its hello does not offer MCP, so it has no tools.',
      why: 'Firmware before 1.7 uses iot instead.\nMCP is disabled in this build.',
      next: 'Update the firmware. Its other frames are listed in Wire.',
    },
    'initialize-silent': {
      what: 'No answer to initialize.',
      why: 'It is busy (the firmware answers nothing during a long call).\nA fork of the firmware ignores mcp frames.',
      next: 'Refresh its tools. If it still does not answer, check below whether it sends any mcp frames.',
    },
    'initialize-error': {
      what: 'initialize returned an error.',
      why: 'It expects another protocol version or other capabilities.',
      next: 'Read the error in Wire. The tools may still work: refresh them.',
    },
    'list-silent': {
      what: 'No answer to tools/list.',
      why: 'The answer exceeded 65,535 bytes, so the firmware sent nothing.\nA slow call is running: the firmware answers one request at a time.\nIt was woken right after it started.',
      next: 'Wait a moment, then refresh its tools.',
    },
    'list-error': {
      what: 'tools/list returned an error.',
      why: 'A single tool exceeds a page of 8,000 bytes.\nIt did not recognise the cursor of the next page.',
      next: 'Shorten the description of the tool that the error names. The tools before it can be used.',
    },
    'list-incomplete': {
      what: 'The tool list is incomplete.',
      why: 'A page pointed back to an earlier one (py-xiaozhi does this if a tool exceeds a page).\nA page was empty.',
      next: 'The tools received so far can be used. If a tool exceeds a page, shorten its description. Then refresh the tools.',
    },
    'tools-invalid': {
      what: 'Some tools are invalid.',
      why: 'Two tools have the same name.\nA tool has no name, or an invalid schema.',
      next: 'Correct them in the firmware, then refresh the tools. The other tools can be used.',
    },
    'no-tools': {
      what: 'The device has no tools.',
      why: 'It was woken right after it started, before its tools were registered.\nThe build registers no tools.',
      next: 'Refresh its tools in a moment.',
    },
    'left-before-ready': {
      what: 'Disconnected before its tools were listed.',
      why: 'It restarted or lost Wi-Fi.\nIts button was pressed again, which ends the conversation.',
      next: 'Reconnect it, and check the last frames below.',
    },
    left: {
      what: 'Disconnected.',
      why: 'The conversation ended (the firmware closes without a close frame, code 1006).\nIt restarted or lost Wi-Fi.',
      next: reconnect,
    },
    'closed-here': {
      what: 'Toolwire closed the connection.',
      why: 'It was disconnected here, or the address for devices was changed.\nToolwire was closed or restarted.\nIt stopped reading what was sent to it.',
      next: reconnect,
    },
    'toolwire-ended': {
      what: 'Toolwire ended while the device was connected.',
      why: 'Toolwire crashed or was killed, or the computer was switched off.',
      next: reconnect,
    },
    'left-during-call': {
      what: 'Disconnected during a call.',
      why: 'The tool crashed the firmware, or the watchdog restarted it.\nThe board ran out of memory or power.\nIt lost Wi-Fi.',
      next: `Check the serial log from when it disconnected. ${reconnect}`,
    },
    'left-as-asked': {
      what: 'Disconnected as a call requested.',
      why: 'A restart, an upgrade or another network ends the connection before the answer is sent.',
      next: 'Wait until it has started, then press its button or say the wake word.',
    },
    'broken-frames': {
      what: 'Some of its frames cannot be read.',
      why: 'The firmware sends messages that are not part of the protocol.\nA message is larger than Toolwire reads.',
      next: 'Filter Wire by the type “invalid” to see these frames as received.',
    },
    'call-timeout': {
      what: 'A call timed out.',
      why: 'The tool takes longer than the timeout, or does not return.\nThe device is busy, for example speaking or taking a photo.\nThe answer exceeded 65,535 bytes, so the firmware sent nothing.\nIt lost Wi-Fi.',
      next: 'Check the serial log, or increase the timeout of the call.',
    },
    'call-unmatched': {
      what: 'A call timed out. A frame that arrived meanwhile matches no request.',
      why: 'The frame that matches no request is probably the answer: its id must be that of the request.\nThe tool takes longer than the timeout, or does not return.',
      next: 'Compare the id of the frame with that of the request in Wire.',
    },
    'answered-late': {
      what: 'A call was answered after its timeout.',
      why: 'The tool takes longer than the timeout.',
      next: 'Increase the timeout of the call.',
    },
    'back-after-crash': {
      what: 'Reconnected after it disconnected during a call.',
      why: 'The tool crashed the firmware, or the watchdog restarted it.\nThe board ran out of memory or power.\nIt lost Wi-Fi.',
      next: 'Check the serial log from when it disconnected.',
    },
    idle: {
      what: 'No data for a while.',
      why: 'A device sends nothing between conversations.\nAfter 120 s without data, the firmware opens a new connection at the next button press.',
      next: 'No action needed. Calls still reach it.',
    },
  },
};
