/** What tests say most. */
export function ask(text: string, sessionId?: string): object {
  return { type: 'text_input', text, ...(sessionId !== undefined && { session_id: sessionId }) };
}

/** A tool as a client registers it; any arguments fit it. */
export function clientTool(name: string, parameters: object = { type: 'object', properties: {} }): object {
  return { name, description: `Does ${name}.`, parameters };
}

export function register(...tools: unknown[]): object {
  return { type: 'register_tools', tools };
}
