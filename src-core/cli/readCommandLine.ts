import { parseArgs } from 'node:util';

import { nearestNames } from '../base/nearestNames.ts';
import type { Command, CommandContext, FlagSpec, GivenFlags } from './command.ts';
import { UsageError } from './usageError.ts';

/**
 * Reads what follows a command's name.
 * @throws UsageError naming the argument that is wrong, and the nearest right one.
 */
export function readCommandLine(
  command: Command,
  args: string[],
): Pick<CommandContext, 'argument' | 'positionals' | 'flags'> & { wantsHelp: boolean } {
  const known: Record<string, Pick<FlagSpec, 'type' | 'repeats'>> = { ...command.flags, help: { type: 'boolean' } };
  const { tokens } = parseArgs({
    args,
    options: { ...flagTypes(command), help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, (string | true)[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!spec) throw unknownFlag(token.rawName, Object.keys(known), positionals.length > 0 ? quotesHint(command) : '');
    if (spec.type === 'boolean' && token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`);
    // `--args --json` is a value that was forgotten, not a value; `--args=--json` is one.
    const forgotten = token.value === undefined || (!token.inlineValue && /^--?[a-z]/i.test(token.value));
    if (spec.type === 'string' && forgotten) throw new UsageError(`${token.rawName} needs a value.`);
    const earlier = values.get(token.name) ?? [];
    if (earlier.length > 0 && spec.repeats !== true) throw new UsageError(`${token.rawName} is given twice.`);
    values.set(token.name, [...earlier, token.value ?? true]);
  }
  const wantsHelp = values.has('help');
  const most = command.argument?.repeats ? Infinity : command.argument ? 1 : 0;
  if (positionals.length > most && !wantsHelp)
    throw new UsageError(
      `"${positionals[most]}" is one argument too many for "toolwire ${command.name}".${quotesHint(command)}`,
    );
  if (command.argument?.required && positionals.length === 0 && !wantsHelp)
    throw new UsageError(`"toolwire ${command.name}" needs ${command.argument.label}.`);
  return { argument: positionals[0], positionals, flags: given(values), wantsHelp };
}

function flagTypes(command: Command): Record<string, { type: 'string' | 'boolean' }> {
  return Object.fromEntries(Object.entries(command.flags).map(([name, { type }]) => [name, { type }]));
}

function given(values: ReadonlyMap<string, readonly (string | true)[]>): GivenFlags {
  const texts = (flag: string): string[] => (values.get(flag) ?? []).filter((value) => value !== true);
  const text = (flag: string): string | undefined => texts(flag)[0];
  return {
    text,
    texts,
    isSet: (flag) => values.has(flag),
    number(flag, { min, max }) {
      const value = text(flag);
      if (value === undefined) return undefined;
      const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}; it is "${value}".`);
    },
  };
}

/** For `toolwire servers add npx -y PACKAGE`. */
function quotesHint({ argument }: Command): string {
  const name = /[A-Z]+/.exec(argument?.label ?? '')?.[0];
  return name === undefined ? '' : ` If it is part of ${name}, put ${name} in quotes.`;
}

function unknownFlag(raw: string, known: string[], hint: string): UsageError {
  const flags = known.map((name) => `--${name}`);
  const [nearest] = nearestNames({ query: raw, items: flags, keysOf: (flag) => [flag], limit: 1 });
  return new UsageError(`There is no flag ${raw}.${nearest ? ` Did you mean ${nearest}?` : hint}`);
}
