import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './ui/styles/tokens.css';
import './ui/styles/base.css';
import './ui/styles/pane.css';

import { until } from '@vueuse/core';
import { createPinia } from 'pinia';
import { createApp } from 'vue';

import App from './app/App.vue';
import { connect } from './client/connect.ts';
import { connectionKey } from './client/connection.ts';
import { preloadPanes } from './app/panes.ts';
import { useSettings } from './window/settingsStore.ts';

/** How long the first paint waits for theme, language and sizes, so that nothing changes before the eyes. */
const settingsWaitMs = 400;

const app = createApp(App);
app.use(createPinia());
app.provide(connectionKey, connect());
const settings = app.runWithContext(() => useSettings());
await until(() => settings.loaded).toBe(true, { timeout: settingsWaitMs });
app.mount('#app');
preloadPanes();
