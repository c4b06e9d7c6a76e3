const explanations = new Map([
  [
    'roots/list',
    'roots/list is not allowed for this server. To allow it, open Access of the server in Toolwire and add a folder under Roots.',
  ],
  [
    'sampling/createMessage',
    'sampling/createMessage is not allowed for this server. To allow it, open Access of the server in Toolwire and turn on May ask for replies from a model.',
  ],
  ['elicitation/create', 'elicitation/create is not allowed for this server.'],
]);

/** Why a request of a server is refused whose capability was not declared; undefined if no such request exists. */
export const explainNotAllowed = (method: string): string | undefined => explanations.get(method);
