import type { ToolCallingProtocol } from './base.ts';

/** The protocols that `ToolCallConfig.protocol` may name: the place to add one. */
export interface ProtocolRegistry {
  /** Returns the function that unregisters just this one. @throws {Error} If the id is empty or taken. */
  register(protocol: ToolCallingProtocol): () => void;
  get(id: string): ToolCallingProtocol | undefined;
  /** In the order of registration. */
  ids(): string[];
}

/** Makes a registry that knows the given protocols. */
export function createProtocolRegistry(initial: readonly ToolCallingProtocol[] = []): ProtocolRegistry {
  const protocols = new Map<string, ToolCallingProtocol>();

  function register(protocol: ToolCallingProtocol): () => void {
    const { id } = protocol;
    if (id === '') throw new Error('A protocol needs an id.');
    if (protocols.has(id)) throw new Error(`A protocol with the id "${id}" is registered already.`);
    protocols.set(id, protocol);
    return () => {
      if (protocols.get(id) === protocol) protocols.delete(id);
    };
  }

  for (const protocol of initial) register(protocol);
  return { register, get: (id) => protocols.get(id), ids: () => [...protocols.keys()] };
}
