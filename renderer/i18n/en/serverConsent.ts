/** The question before a server is started. */
export const serverConsent = {
  title: {
    start: {
      first: 'Start “{name}” for the first time?',
      again: 'Start “{name}”?',
      changed: '“{name}” has changed. Start it?',
    },
    connect: {
      first: 'Connect to “{name}” for the first time?',
      again: 'Connect to “{name}”?',
      changed: '“{name}” has changed. Connect to it?',
    },
  },
  titleValues: '“{name}” needs values',
  titleFile: 'The file of “{name}” has changed',
  valuesText: 'Nothing has run yet. The configuration refers to these values. They are kept as secrets.',
  fileText: 'The entry of this server in {path} has changed since Toolwire last read it.',
  fileChanges: 'Changes in the file',
  newValues: 'New values: {names}',
  about: {
    start: {
      first: 'Nothing has run yet. The program will run with your rights: it can read your files and use the network.',
      again:
        'You approved this command only for an earlier session. The program runs with your rights: it can read your files and use the network.',
      changed: 'The program will run with your rights: it can read your files and use the network.',
    },
    connect: {
      first: 'Nothing has been sent yet. The server receives the headers below and the arguments of each call.',
      again:
        'You approved this connection only for an earlier session. The server receives the headers below and the arguments of each call.',
      changed: 'The server receives the headers below and the arguments of each call.',
    },
  },
  added: {
    'by-hand': 'Added by hand{at}.',
    file: 'Imported from {file}{at}.',
    text: 'Imported from pasted text{at}.',
    link: 'Added from a link{at}.',
    'terminal-add': 'Added with toolwire servers add{at}.',
    'terminal-import': 'Imported with toolwire servers import{at}.',
  },
  addedAt: ' ({at})',
  what: 'What will be started',
  program: 'Program',
  noProgram: 'Not found. Searched: {searched}',
  env: 'Environment',
  onlyNames: 'No variables. | Only this name. | Only these {n} names.',
  secrets:
    'No secrets. | {names} is a stored secret and is set at start. | {names} are stored secrets and are set at start.',
  field: {
    command: 'Command',
    program: 'Program',
    cwd: 'Working directory',
    env: 'Environment',
    url: 'URL',
    headers: 'Headers',
    era: 'Era of MCP',
  },
  warning: {
    unpinned: '{part} without an exact version',
    shell: '{part} is a shell',
    administrator: '{part}: runs as administrator',
    privileged: '{part}: the container has all rights',
    'wide-path': '{part}: a whole disk or home folder',
    unencrypted: '{part} is not encrypted',
  },
  remedy: {
    unpinned: "Each start may install another version. Specify one, such as {'@'}1.2.3.",
    shell: 'A shell runs any command in its arguments. Start the program directly.',
    administrator:
      'The server can change everything on this machine. Remove this part if the server does not need these rights.',
    privileged: 'The server can escape the container. Grant individual capabilities instead.',
    'wide-path': 'The server can read everything in it. Name the folder that it needs.',
    unencrypted: 'Others on the network can read headers and calls. Use https:// or wss:// if the server supports it.',
  },
  changes: 'Changes since you agreed',
  warnings: 'Warnings',
  hint: {
    start: 'You are asked again if any of this changes.',
    values: 'The next step shows the command with the values.',
    file: 'Nothing starts until you decide.',
  },
  continue: 'Continue',
  take: 'Use the file’s',
  keep: 'Keep mine',
  later: 'Decide later',
  allLater: 'Decide on all {n} later',
  start: { once: 'Start once', always: 'Always start this', no: 'Don’t start' },
  connect: { once: 'Connect', always: 'Always connect', no: 'Don’t connect' },
};
