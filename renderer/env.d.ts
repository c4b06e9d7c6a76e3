/// <reference types="vite/client" />

/** What Electron's preload exposes: only that it is there, and on which system. */
interface ToolwireShell {
  kind: 'electron';
  /** `process.platform` of the host. */
  platform?: string;
}

interface Window {
  toolwireShell?: ToolwireShell;
}

declare module '@fontsource-variable/inter/wght.css';
declare module '@fontsource-variable/jetbrains-mono/wght.css';
