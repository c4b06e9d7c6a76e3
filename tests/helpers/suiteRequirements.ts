import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';

/** The scenarios of the installed conformance suite: those that a revision requires of a role, and those that it runs besides. */
export function suiteRequirements(
  revision: '2025-11-25' | '2026-07-28',
  role: 'server' | 'client',
): { required: string[]; more: string[] } {
  const file = `../../node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`;
  const kept = load(readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8')) as Record<
    'server' | 'client',
    string[]
  > & { not_scored: { scenario: string; leg: string }[] };
  const more = kept.not_scored.filter(({ leg }) => leg === role).map(({ scenario }) => scenario);
  return { required: kept[role], more };
}
