import { homedir } from 'node:os';
import { sep } from 'node:path';

import { localize } from '../../../base/messages/localize.ts';
import { RequestError } from '../../../base/requestError.ts';
import type { ServerEndpoint } from '../../../mcp/types.ts';
import { mapTexts } from './mapTexts.ts';
import type { VariableSyntax } from './types.ts';
import { expandVariables, type TextPart } from './variables.ts';

/**
 * Replaces the variables in the texts of an endpoint by the environment of this process and by places of this computer.
 * @throws {RequestError} If a variable has neither a value nor a default.
 */
export function expandEndpoint(
  endpoint: ServerEndpoint,
  { name, variables }: { name: string; variables: VariableSyntax },
): ServerEndpoint {
  if (variables === 'none') return endpoint;
  const missing = new Set<string>();
  const expand = (text: string): string => {
    const expanded = expandVariables(text, variables, valueOf);
    expanded.missing?.forEach((variable) => missing.add(variable));
    return expanded.missing === undefined ? expanded.text : '';
  };
  const expanded = mapTexts(endpoint, expand);
  if (missing.size > 0)
    throw new RequestError(localize('servers.noValue', { name, variables: [...missing].join(', ') }));
  return expanded;
}

/** An input and the folder of an editor have no value here. */
function valueOf(part: Exclude<TextPart, { kind: 'literal' }>): string | undefined {
  if (part.kind === 'env') return process.env[part.name];
  if (part.kind === 'input') return undefined;
  if (part.name === 'userHome') return homedir();
  return part.name === 'pathSeparator' || part.name === '/' ? sep : undefined;
}
