/** The paths of files that the user dropped or chose, as the desktop shell tells them; the latest of each name. */
const told = new Map<string, { size: number; lastModified: number; path: string }>();
const most = 100;

interface Told {
  type: 'toolwire:file';
  name: string;
  size: number;
  lastModified: number;
  path: string;
}

function isTold(data: unknown): data is Told {
  return typeof data === 'object' && data !== null && (data as Partial<Told>).type === 'toolwire:file';
}

/** Begins to listen to the shell (electron/preloadBridge.ts). In a browser nothing is told. */
export function followFilePaths(host: Pick<Window, 'toolwireShell' | 'addEventListener'> = window): void {
  if (host.toolwireShell?.kind !== 'electron') return;
  host.addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
    if (source !== host || !isTold(data)) return;
    const { name, size, lastModified, path } = data;
    told.delete(name);
    told.set(name, { size, lastModified, path });
    const [oldest] = told.keys();
    if (told.size > most && oldest !== undefined) told.delete(oldest);
  });
}

/** Undefined if it is not known. */
export function pathOf({ name, size, lastModified }: Pick<File, 'name' | 'size' | 'lastModified'>): string | undefined {
  const found = told.get(name);
  return found?.size === size && found.lastModified === lastModified ? found.path : undefined;
}
