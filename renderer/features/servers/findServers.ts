import { FileText, MessageSquareText } from '@lucide/vue';
import { shallowRef, watch, type Component, type ShallowRef } from 'vue';

import { useClient } from '../../client/useClient.ts';
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
import { hasTab, serverTabs, type ServerTab } from './serverTabs.ts';

/** A line of the palette. */
interface ServerEntry {
  key: string;
  label: string;
  mono: boolean;
  icon: Component;
  hint: string;
  run: () => void;
}

/** A server, one of its tabs, or a prompt or resource in a tab. */
interface Place {
  server: ServerRow;
  tab?: ServerTab;
  name: string;
  about: string;
  /** The position of a prompt or a resource in its list: a server may use a name twice. */
  at?: number;
  icon?: Component;
}

/** What the palette searches of the servers, and the line of each place, which shows it in the pane. */
export function useServerEntries() {
  const servers = useServers();
  const navigation = useNavigation();
  const settings = useSettings();
  const items = useItems();
  const texts = ({ name, about, server, tab }: Place): SearchTexts => ({
    names: [foldText(name)],
    about: foldText(tab ? `${about} ${server.name}` : about),
  });
  const ofServer = (server: ServerRow): Place => ({ server, name: server.name, about: server.place });
  return {
    /** The places that may match: none before the first word. The name of a server alone does not find what is in it. */
    list(words: readonly string[]): Place[] {
      if (words.length === 0) return [];
      const folded = words.map(foldText);
      const inside = [...servers.list.flatMap(tabsOf), ...items.value].filter(({ name, about }) => {
        const own = foldText(`${name} ${about}`);
        return folded.some((word) => own.includes(word));
      });
      return [...servers.list.map(ofServer), ...inside];
    },
    allTexts: () => [...servers.list.map(ofServer), ...items.value].map(texts),
    limit: 8,
    texts,
    entry: ({ server, tab, name, at, icon }: Place): ServerEntry => ({
      key: ['server', server.id, tab, at].join(':'),
      label: visibleText(name),
      mono: icon !== undefined,
      icon: icon ?? stateLooks[shownState(server)].icon,
      hint: tab
        ? [...(icon ? [t(`servers.tab.${tab}`)] : []), visibleText(server.name)].join(' · ')
        : [t('servers.title'), t(`servers.state.${shownState(server)}`)].join(' · '),
      run: () => {
        settings.remember('servers.chosen', server.id);
        if (tab) {
          settings.remember('servers.tabOf', server.id);
          settings.remember('servers.tab', tab);
        }
        navigation.open('servers');
      },
    }),
  };
}

function tabsOf(server: ServerRow): Place[] {
  if (server.state !== 'ready') return [];
  const tabs = serverTabs.filter((tab) => hasTab(tab, server.type));
  return tabs.map((tab) => ({ server, tab, name: t(`servers.tab.${tab}`), about: '' }));
}

/** The prompts and resources of ready servers, fetched when the palette opens and whenever they change while it is open. */
function useItems(): ShallowRef<readonly Place[]> {
  const { servers: api } = useClient();
  const servers = useServers();
  const navigation = useNavigation();
  const items = shallowRef<readonly Place[]>([]);

  async function itemsOf(server: ServerRow): Promise<Place[]> {
    const { id, counts } = server;
    // A list that cannot be read is reported in its tab.
    const none = (): [] => [];
    const [prompts, resources, templates] = await Promise.all([
      counts.prompts > 0 ? api.prompts({ id }).catch(none) : [],
      counts.resources > 0 ? api.resources({ id }).catch(none) : [],
      counts.resources > 0 ? api.templates({ id }).catch(none) : [],
    ]);
    const place = (tab: ServerTab, icon: Component, name: string, about = ''): Omit<Place, 'at'> => ({
      server,
      tab,
      name,
      about,
      icon,
    });
    const found = [
      ...prompts.map(({ name, description }) => place('prompts', MessageSquareText, name, description)),
      ...resources.map(({ name, uri }) => place('resources', FileText, name, uri)),
      ...templates.map(({ name, uriTemplate }) => place('resources', FileText, name, uriTemplate)),
    ];
    return found.map((each, at) => ({ ...each, at }));
  }

  watch(
    // Each line in the log of a server is a new list.
    () =>
      navigation.overlay === 'palette' &&
      JSON.stringify(servers.list.map(({ id, state, counts }) => [id, state, counts])),
    async (isOpen, _, onCleanup) => {
      if (isOpen === false) return void (items.value = []);
      let isStale = false;
      onCleanup(() => (isStale = true));
      const found = await Promise.all(servers.list.filter(({ state }) => state === 'ready').map(itemsOf));
      if (!isStale) items.value = found.flat();
    },
    { immediate: true },
  );
  return items;
}
