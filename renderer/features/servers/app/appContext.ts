import { usePreferredDark } from '@vueuse/core';
import { computed, watch, type Ref } from 'vue';

import { language } from '../../../i18n/index.ts';
import { useSettings } from '../../../window/settingsStore.ts';
import type { JsonObject } from '../../../../src-core/contract/types.ts';

/** The style variables of MCP Apps, with our tokens. Values for both themes are `light-dark(…)`. */
const variables = {
  '--color-background-primary': '--bg-pane',
  '--color-background-secondary': '--bg-sunken',
  '--color-background-tertiary': '--bg-chrome',
  '--color-background-inverse': '--text',
  '--color-background-info': '--info-tint',
  '--color-background-danger': '--error-tint',
  '--color-background-success': '--ok-tint',
  '--color-background-warning': '--warn-tint',
  '--color-background-disabled': '--bg-active',
  '--color-text-primary': '--text',
  '--color-text-secondary': '--text-2',
  '--color-text-tertiary': '--text-3',
  '--color-text-inverse': '--bg-pane',
  '--color-text-info': '--info',
  '--color-text-danger': '--error',
  '--color-text-success': '--ok',
  '--color-text-warning': '--warn',
  '--color-text-disabled': '--text-off',
  '--color-border-primary': '--line-2',
  '--color-border-secondary': '--line',
  '--color-border-info': '--info-mark',
  '--color-border-danger': '--error-mark',
  '--color-border-success': '--ok-mark',
  '--color-border-warning': '--warn-mark',
  '--color-ring-primary': '--accent-line',
  '--font-sans': '--font-ui',
  '--font-mono': '--font-mono',
  '--font-text-xs-size': '--fs-11',
  '--font-text-sm-size': '--fs-12',
  '--font-text-md-size': '--fs-13',
  '--font-text-lg-size': '--fs-14',
  '--border-radius-sm': '--r-4',
  '--border-radius-md': '--r-6',
  '--border-radius-lg': '--r-8',
} as const;

/** px that an App may have in a chat. */
export const maxAppHeight = 600;

function styleVariables(): JsonObject {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    Object.entries(variables).map(([name, token]) => [name, style.getPropertyValue(token).trim()]),
  );
}

/**
 * What an App is told of the window: theme, language, and the place that it has. `place` is in px; a place without a height grows with the
 * App. `onChange` gets what has changed.
 */
export function useAppContext(options: {
  place: Ref<{ width: number; height?: number }>;
  onChange: (changes: JsonObject) => void;
}): () => JsonObject {
  const { place, onChange } = options;
  const settings = useSettings();
  const prefersDark = usePreferredDark();
  const theme = computed(() => {
    const { theme: chosen } = settings.current;
    return chosen === 'system' ? (prefersDark.value ? 'dark' : 'light') : chosen;
  });
  const locale = computed(() => (language.value === 'zh' ? 'zh-CN' : 'en'));
  const dimensions = computed<JsonObject>(() => {
    const { width, height } = place.value;
    return { width, ...(height === undefined ? { maxHeight: maxAppHeight } : { height }) };
  });
  watch(theme, (now) => onChange({ theme: now }));
  watch(locale, (now) => onChange({ locale: now }));
  watch(dimensions, (now, before) => {
    if (JSON.stringify(now) !== JSON.stringify(before)) onChange({ containerDimensions: now });
  });
  return () => ({
    theme: theme.value,
    locale: locale.value,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    styles: { variables: styleVariables() },
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    containerDimensions: dimensions.value,
    userAgent: 'toolwire',
    platform: 'desktop',
  });
}
