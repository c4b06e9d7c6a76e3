import { dangerReasons } from '../../../src-core/registry/dangerReasons.ts';

/** What happened, and what to do about it, by the code of a tool error. */
export const errors = {
  what: {
    'not-authorized': 'The call was refused',
    'confirmation-required': 'The call waits for a yes',
    'invalid-name': 'No method can be read out of this name',
    'unknown-tool': 'No such tool is registered',
    'unknown-method': 'The tool has no such method',
    'ambiguous-name': 'The name fits more than one method',
    'not-agent-callable': 'Models may not call this method',
    'unusable-method': 'This method cannot be called',
    'tool-disabled': 'The tool is off',
    'repeated-call': 'The same call, too often',
    'invalid-arguments': 'The arguments do not fit',
    timeout: 'No answer in time',
    cancelled: 'The call was cancelled',
    disconnected: 'The tool left during the call',
    interrupted: 'Toolwire ended during the call',
    'tool-error': 'The tool reports an error',
    'bad-result': 'The answer cannot be shown as JSON',
    'result-too-large': 'The answer is too large',
    'protocol-error': 'The answer breaks the protocol',
    'unknown-protocol': 'No such tool-calling protocol',
  },
  steered: 'Text of this call occurs in an earlier result of “{tool}”: that result may be steering the model.',
  /** Why a call or a frame asks first. The engine says it in these sentences. */
  danger: dangerReasons,
  containsWords: 'It contains “{words}”, a word of dangerous calls.',
  why: {
    'not-authorized': 'Nobody agreed to it, so it never went out.',
    'confirmation-required': 'This method can do harm, or every call is set to ask first.',
    'not-agent-callable': 'Its source does not mark it as callable by a model.',
    'tool-disabled': 'It is switched off in the tool settings, so no call goes out.',
    'repeated-call': 'The model made it several times in this turn, with the same arguments each time.',
    cancelled: 'It was stopped before an answer came. If it had begun, some of it may be done.',
    interrupted: 'It had no result yet. Whether the tool did its work is not known.',
  },
  /** Of `cancelled`, if the call never went out. */
  neverRan: 'It was cancelled before it ran, so the tool did nothing.',
  /** Of `tool-disabled`, if tool calling as a whole is off. */
  callingOff: {
    why: 'Tool calling is off, so models can call no tool.',
    next: 'Turn it on in Settings → Tool calling.',
  },
  /** Of a handler of a module that threw. */
  thrownNext: 'Correct the file, or change the arguments, and run it again.',
  /** What is said otherwise of a tool on a device. */
  device: {
    left: 'The device is not connected',
    what: { disconnected: 'The device left during the call' },
    next: {
      timeout: 'Run it again with more time, or look at the wire: the answer may come late.',
    },
  },
  next: {
    'not-authorized': 'Run it again and agree, if you want it to happen.',
    'confirmation-required': 'Read what it does, then confirm.',
    'invalid-name': 'Write toolId_methodName, or give the tool id and a command.',
    'unknown-tool': 'Check the name, or wait until its tool connects.',
    'unknown-method': 'Choose one of the methods the tool has.',
    'ambiguous-name': 'Name the tool in tool_name and the method in command.',
    'not-agent-callable': 'Call it by hand in the Executor, or mark it as agent-callable at its source.',
    'unusable-method': 'Correct the method at its source.',
    'tool-disabled': 'Switch it on in Discovery.',
    'repeated-call': 'Look at what the tool answered, or allow more repeats in the options of the chat.',
    'invalid-arguments': 'Correct the marked arguments and run it again.',
    timeout: 'Run it again with more time.',
    cancelled: 'Run it again when you want its answer.',
    disconnected: 'Wait until it is back, then run it again.',
    interrupted: 'Check what the call would have changed before you run it again.',
    'tool-error': 'Read the tool’s own words, change the arguments, run it again.',
    'bad-result': 'Change the tool so that it returns plain JSON values.',
    'result-too-large': 'Ask the tool for less at a time.',
    'protocol-error': 'Look at the frame on the wire and at the firmware’s version.',
    'unknown-protocol': 'Choose a protocol in Settings.',
  },
};
