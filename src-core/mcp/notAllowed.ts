/** What the user can change so that a server may send a request. */
const remedies = {
  'roots/list': 'add a folder under Roots',
  'sampling/createMessage': 'turn on May ask for replies from a model',
};

/** Why a request of a server is refused whose capability was not declared; undefined if no such request exists. */
export function explainNotAllowed(method: string): string | undefined {
  if (method in remedies)
    return `${method} is not allowed for this server. To allow it, open Access of the server in Toolwire and ${remedies[method as keyof typeof remedies]}.`;
  return method === 'elicitation/create' ? 'elicitation/create is not allowed for this server.' : undefined;
}
