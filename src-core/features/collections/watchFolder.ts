import { watch } from 'chokidar';
import { relative, sep } from 'node:path';

/** Tells of every change of a collection's files, whoever makes it. Resolves once it watches; the result ends it. */
export async function watchFolder(
  path: string,
  { onChange, onError }: { onChange: () => void; onError: (error: unknown) => void },
): Promise<() => Promise<void>> {
  const watcher = watch(path, {
    followSymlinks: false,
    ignoreInitial: true,
    depth: 1,
    ignored: (each) => {
      const [first = '', ...rest] = relative(path, each).split(sep);
      // Only what a collection is made of: a folder may stand in a repository that has much more.
      return first.startsWith('.') || (rest.length > 0 && first !== 'environments') || first === 'node_modules';
    },
  });
  watcher.on('all', (_event, file) => {
    if (file.endsWith('.json')) onChange();
  });
  watcher.on('error', onError);
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return () => watcher.close();
}
