import { dangerReasons } from '../../../src-core/registry/dangerReasons.ts';

/** What happened, and what to do about it, by the code of a tool error. */
export const errors = {
  what: {
    'not-authorized': 'The call was not approved',
    'confirmation-required': 'Waiting for approval',
    'invalid-name': 'Invalid tool name',
    'unknown-tool': 'Unknown tool',
    'unknown-method': 'Unknown method',
    'ambiguous-name': 'Ambiguous name',
    'tool-withheld': 'Withheld',
    'tool-changed': 'The tool changed before the call ran',
    'not-agent-callable': 'Not callable by models',
    'unusable-method': 'Unusable tool',
    'tool-disabled': 'The tool is off',
    'repeated-call': 'Repeated too often',
    'invalid-arguments': 'Invalid arguments',
    timeout: 'The call timed out',
    cancelled: 'The call was cancelled',
    disconnected: 'The tool disconnected during the call',
    interrupted: 'Toolwire closed during the call',
    'tool-error': 'The tool returned an error',
    'bad-result': 'The result cannot be shown as JSON',
    'result-too-large': 'The result is too large',
    'protocol-error': 'Protocol error',
    'unknown-protocol': 'Unknown protocol',
  },
  steered: 'Text of this call also occurs in an earlier result of “{tool}”. This may be prompt injection.',
  /** Why a call or a frame asks first. The engine says it in these sentences. */
  danger: dangerReasons,
  containsWords: 'It contains “{words}”, a word of dangerous calls.',
  why: {
    'confirmation-required': 'This tool can do harm, or every call is set to ask first.',
    'tool-withheld': 'Its definition has changed, and the change is not accepted yet.',
    'tool-changed': 'It was changed or replaced while the call waited.',
    'not-agent-callable': 'Its source does not offer it to models.',
    'tool-disabled': 'The tool is turned off, so no call is sent.',
    'repeated-call': 'The model made the same call several times in this turn.',
    cancelled: 'The call was stopped before it returned. Part of its work may be done.',
    interrupted: 'The call had no result yet. Whether the tool did its work is unknown.',
  },
  /** Of `cancelled`, if the call never went out. */
  neverRan: 'The call was cancelled before it ran, so the tool did nothing.',
  /** Of arguments that do not fit, in a language other than English. */
  unfit: 'The arguments do not fit {name}. {issues}.',
  unfitOne: 'The argument "{parameter}" does not fit {name}. {issue}.',
  /** Of `invalid-arguments`, if they name a secret without a value. */
  noSecret: 'A secret has no value',
  /** Of `not-agent-callable`, for a method of a module. */
  offerInModule: 'Set agentCallable: true for the method in its module, or run it yourself.',
  /** Of `tool-disabled`, if tool calling as a whole is off. */
  toolOnly: 'No method named',
  callingOff: {
    why: 'Tool calling is off, so models cannot call tools.',
    next: 'Turn it on in Settings → Tool calling.',
  },
  /** Of a handler of a module that threw. */
  thrownNext: 'Correct the file or change the arguments, then run again.',
  /** Of a module whose thread ended during the call. */
  crashed: { what: 'The module crashed', next: 'Correct the file, then run again.' },
  /** Of a tool that was gone before the call: by what it belongs to. */
  left: {
    device: 'The device is not connected',
    gateway: 'The client is not connected',
    mcp: 'The server is not connected',
    module: 'The module file no longer exists',
    tool: 'The tool is not connected',
  },
  /** Of an MCP server that was lost during the call. */
  lost: {
    process: 'The server ended during the call',
    session: 'The server has forgotten the session',
    connection: 'The connection to the server was lost',
  },
  /** Titles for calls to a device of another node of the cluster. */
  node: { lost: 'The node of the device was lost', refused: 'The call did not reach the device' },
  /** Advice if a tool failed because its MCP server sent a request that is not allowed for it. */
  notAllowed: {
    'roots/list': 'The server asked for its roots, but has none. Add a folder under Access > Roots, and run again.',
    'sampling/createMessage':
      'The server asked for a reply from a model, which is not allowed. Turn on Access > May ask for replies from a model, and run again.',
  },
  /** Of an error of JSON-RPC that an MCP server returned. */
  rpc: 'Error {code} from the server',
  moduleBack: 'Put the file back into the modules folder. It is loaded again automatically.',
  newSession: 'A new session is opened. The call was not repeated, because it may change something. Run it again.',
  startServer: 'Find out why in Servers, and start it there.',
  /** What is said otherwise of a tool on a device. */
  device: {
    what: { disconnected: 'The device disconnected during the call' },
    cut: 'The answer was cut off',
    unreadable: 'Wire shows the frame as received. If it is the answer, correct how the firmware sends it.',
  },
  next: {
    'not-authorized': 'If it should run after all, run again and approve the call.',
    'confirmation-required': 'Read what it does, then approve it.',
    'invalid-name': 'Use toolId_methodName, or a tool id and a command.',
    'unknown-tool': 'Check the name, or wait until the tool connects.',
    'unknown-method': 'Choose one of the tool’s methods.',
    'ambiguous-name': 'Put the tool in tool_name and the method in command.',
    'tool-withheld': 'Accept the change in Servers.',
    'tool-changed': 'Check what it does now, then run again.',
    'not-agent-callable': 'Call it in the Executor, or make it callable by models at its source.',
    'unusable-method': 'Correct the tool at its source.',
    'tool-disabled': 'Turn it on in Discovery.',
    'repeated-call': 'Check the tool’s results, or allow more repeats in the options of the chat.',
    'invalid-arguments': 'Correct the arguments and run again.',
    timeout: 'Run again with a longer timeout.',
    cancelled: 'Run again if you need the result.',
    disconnected: 'Wait until it reconnects, then run again.',
    interrupted: 'Check what the call may have changed before you run it again.',
    'bad-result': 'Change the tool so that it returns plain JSON values.',
    'result-too-large': 'Request less data at a time.',
    'protocol-error': 'Correct the tool at its source, then run again.',
    'unknown-protocol': 'Choose a protocol in Settings.',
  },
};
