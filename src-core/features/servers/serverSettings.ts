import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Implementation } from '../../contract/implementation.ts';
import type { ServerConfig, ServerRoot, servers as serversContract } from '../../contract/servers.ts';
import type { FeatureContext } from '../context.ts';
import type { ConfiguredServer } from './configFiles/types.ts';
import { eraOf } from './eraField.ts';
import { answerOf } from './failureMessage.ts';
import type { Launcher } from './launcher.ts';
import type { Pins } from './pins.ts';
import type { KeptServer, ServerBook, ServerSource } from './serverBook.ts';
import type { SignIns } from './signIn.ts';
import { isOtherSignIn } from './signInSettings.ts';
import { sourceOf, toConfig } from './transfer.ts';

/** What the user sets of a server. A change of its configuration restarts it. */
export function createServerSettings({
  book,
  launcher,
  pins,
  signIns,
  onChange,
  clock,
  events,
  toolRegistryManager,
}: Pick<FeatureContext, 'clock' | 'events' | 'toolRegistryManager'> & {
  book: ServerBook;
  launcher: Launcher;
  pins: Pins;
  signIns: SignIns;
  onChange: () => void;
}) {
  async function restart(id: string): Promise<void> {
    if (!(await launcher.restart(id))) onChange();
  }

  return {
    async change({ id, config }) {
      const before = book.get(id).config;
      await book.change(id, config);
      if (isOtherSignIn('signIn' in before ? before : {}, config)) await signIns.forget(id, { binding: true });
      await restart(id);
    },
    async setValues({ id, values }) {
      await book.give(id, values);
      await restart(id);
    },
    async settleFile({ id, hash, take }) {
      const changed = await launcher.fileChangeOf(id);
      const { name } = book.get(id);
      if (changed?.change.hash !== hash) throw new RequestError(localize('servers.changedMeanwhile', { name }));
      const { server, change } = changed;
      if (take) {
        await book.change(id, mergeEntry(book.get(id), await book.sourceOf(id), server), sourceOf(server, change.path));
        book.set(id, { added: { how: 'file', file: change.path, at: clock.wall() } });
      } else await book.noteFile(id, { path: change.path, server });
      await restart(id);
    },
    setConsumers({ id, consumers }) {
      book.set(id, { consumers });
      toolRegistryManager.notifyChanged(book.get(id).registryId);
      events.emit('consumersChanged', { kind: 'mcp', id }, consumers);
      onChange();
    },
    definitionChanges: ({ id }) => launcher.of(book.get(id).id).listed.changesBeside(launcher.toolsBeside(id)),
    acceptDefinitions({ id, tools }) {
      const { registryId } = book.get(id);
      const server = launcher.of(id);
      pins.accept(id, server.listed.tools, tools);
      server.listed.checkDefinitions();
      toolRegistryManager.notifyChanged(registryId);
      onChange();
    },
    async setRoots({ id, roots }) {
      const before = book.get(id).roots;
      book.set(id, { roots: roots.map(toRoot) });
      const { connection } = launcher.of(id);
      onChange();
      const isDeclared = before.length > 0 && roots.length > 0;
      if (isDeclared && connection) await answerOf(connection.sendRootsChanged(), (text) => launcher.of(id).mask(text));
      else if (!isDeclared && before.length !== roots.length) await launcher.restartWith(id, roots[0] && 'roots');
    },
    async setSampling({ id, allowed }) {
      const before = book.get(id).sampling;
      book.set(id, { sampling: allowed });
      if (before !== allowed) await launcher.restartWith(id, allowed ? 'sampling' : undefined);
      onChange();
    },
    async setLogLevel({ id, level }, signal = new AbortController().signal) {
      book.set(id, { logLevel: level });
      onChange();
      const { connection } = launcher.of(id);
      if (connection) await answerOf(connection.setLogLevel(level, signal), (text) => launcher.of(id).mask(text));
    },
  } satisfies Partial<Implementation<typeof serversContract>>;
}

/**
 * The entry of a file in the place of a configuration. A file contains nothing about the sign-in. The era that the user has set stays
 * unless that of the entry has changed.
 */
function mergeEntry(kept: KeptServer, source: ServerSource | undefined, entry: ConfiguredServer): ServerConfig {
  const { name, config, era } = kept;
  const signIn = 'signIn' in config && entry.config.type !== 'stdio' ? { signIn: config.signIn } : {};
  const last = source?.file?.server.extra ?? {};
  const own = eraOf(last) === eraOf(entry.extra) ? { era } : {};
  return { ...toConfig(entry), ...own, name, ...signIn };
}

function toRoot({ uri: given, name }: ServerRoot): ServerRoot {
  const uri = isAbsolute(given) ? pathToFileURL(given).href : given;
  if (!URL.canParse(uri) || new URL(uri).protocol !== 'file:')
    throw new RequestError(localize('servers.badRoot', { root: given }), { field: 'roots' });
  return { uri, ...(name !== undefined && name !== '' && { name }) };
}
