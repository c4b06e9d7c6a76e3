import type { Component } from 'vue';

import { t } from '../../i18n/index.ts';
import { foldText } from '../../ui/search/matchWords.ts';
import type { SearchTexts } from '../../ui/search/rankMatches.ts';
import { visibleText } from '../../ui/format/visibleText.ts';
import { useNavigation } from '../../window/navigation.ts';
import { useSettings } from '../../window/settingsStore.ts';
import type { ServerRow } from '../../../src-core/contract/types.ts';
import { shownState } from '../../../src-core/contract/stateWords.ts';
import { stateLooks } from './serverState.ts';
import { useServers } from './serversStore.ts';

/** A line of the palette. */
interface ServerEntry {
  key: string;
  label: string;
  icon: Component;
  hint: string;
  run: () => void;
}

/** What the palette searches of the servers, and the line of each, which shows the server in its pane. */
export function useServerEntries() {
  const servers = useServers();
  const navigation = useNavigation();
  const settings = useSettings();
  const texts = ({ name, place }: ServerRow): SearchTexts => ({ names: [foldText(name)], about: foldText(place) });
  return {
    /** The servers that may match: none before the first word. */
    list: (words: readonly string[]) => (words.length === 0 ? [] : servers.list),
    allTexts: () => servers.list.map(texts),
    limit: 5,
    texts,
    entry: (server: ServerRow): ServerEntry => ({
      key: `server:${server.id}`,
      label: visibleText(server.name),
      icon: stateLooks[shownState(server)].icon,
      hint: [t('servers.title'), t(`servers.state.${shownState(server)}`)].join(' · '),
      run: () => {
        settings.remember('servers.chosen', server.id);
        navigation.open('servers');
      },
    }),
  };
}
