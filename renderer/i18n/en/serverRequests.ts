/** What MCP servers ask of the user. */
export const serverRequests = {
  none: 'The server asks for nothing.',
  failed: 'The answer could not be sent',
  kind: { form: 'A form to fill in', url: 'A page to open', 'sign-in': 'Sign-in' },
  waiting: 'waiting {time}',
  noPasswords: 'Your answer goes to the server {name}. Do not enter passwords here.',
  send: 'Send',
  decline: 'Decline',
  cancel: 'Cancel the request',
  open: 'Open {host}',
  signIn:
    'The server wants to know who you are. Sign in on this page in your browser; it returns to Toolwire by itself.',
  opensOutside: 'The page opens in your browser. Nothing has been loaded yet.',
  notAPage: 'The address is not a web page (http or https), so it cannot be opened.',
};
