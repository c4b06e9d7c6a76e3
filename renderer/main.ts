import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { openPortLine } from './client/openPortLine.ts';
import { openWebSocketLine } from './client/openWebSocketLine.ts';
import { takeWindowToken } from './client/windowKey.ts';
import './ui/styles/tokens.css';
import './ui/styles/base.css';
import './ui/styles/pane.css';
import { until } from '@vueuse/core';
import { createPinia } from 'pinia';
import { createApp } from 'vue';

import App from './app/App.vue';
import { connectionKey, createConnection, type Connection } from './client/connection.ts';
import { preloadPanes } from './app/panes.ts';
import { languageShown, setLanguage } from './i18n/index.ts';
import { useSettings } from './window/settingsStore.ts';

/** How long the first paint waits for theme, language and sizes, so that nothing changes before the eyes. */
const settingsWaitMs = 400;

const app = createApp(App);
app.use(createPinia());
app.provide(connectionKey, connect());
const settings = app.runWithContext(() => useSettings());
setLanguage('system');
void start();

/** Not at the top level: the built Chinese texts import this module, and would wait for it for ever. */
async function start(): Promise<void> {
  await until(() => settings.loaded).toBe(true, { timeout: settingsWaitMs });
  setLanguage(settings.current.locale);
  await languageShown();
  app.mount('#app');
  preloadPanes();
}

/** The connection for the shell this page runs in: Electron's port, or the WebSocket of the server that gave the page. */
function connect(host: Window = window): Connection {
  takeWindowToken(host.location, host.history);
  const open = host.toolwireShell?.kind === 'electron' ? openPortLine(host) : openWebSocketLine(host.location);
  return createConnection({ open });
}
