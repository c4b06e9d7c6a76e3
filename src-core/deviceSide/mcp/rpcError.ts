/** Codes of JSON-RPC 2.0, section 5.1. */
export const rpcCodes = Object.freeze({
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
});

/** A failure of the protocol, not of a tool: answered in JSON-RPC's `error`. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}
