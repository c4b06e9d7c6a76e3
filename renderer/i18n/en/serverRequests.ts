/** What MCP servers ask of the user. */
export const serverRequests = {
  none: 'The server asks for nothing.',
  failed: 'The answer could not be sent',
  kind: { form: 'A form to fill in', url: 'A page to open' },
  waiting: 'waiting {time}',
  noPasswords: 'Your answer goes to the server {name}. Do not enter passwords here.',
  send: 'Send',
  decline: 'Decline',
  cancel: 'Cancel the request',
  open: 'Open {host}',
  opensOutside: 'The page opens in your browser. Nothing has been loaded yet.',
  notAPage: 'The address is not a web page (http or https), so it cannot be opened.',
};
