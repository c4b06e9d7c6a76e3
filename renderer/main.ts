import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/pane.css';

import { until } from '@vueuse/core';
import { createPinia } from 'pinia';
import { createApp } from 'vue';

import App from './App.vue';
import { connect } from './connect.ts';
import { connectionKey } from './connection/connection.ts';
import { preloadPanes } from './panes/index.ts';
import { useSettings } from './stores/settings.ts';

/** How long the first paint waits for theme, language and sizes, so that nothing changes before the eyes. */
const settingsWaitMs = 400;

const app = createApp(App);
app.use(createPinia());
app.provide(connectionKey, connect());
const settings = app.runWithContext(() => useSettings());
await until(() => settings.loaded).toBe(true, { timeout: settingsWaitMs });
app.mount('#app');
preloadPanes();
