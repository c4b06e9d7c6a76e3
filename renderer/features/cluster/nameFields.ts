import { t } from '../../i18n/index.ts';

const fields = {
  '--cluster': 'cluster.url',
  '--cluster-nkey': 'cluster.nkey',
  '--cluster-ca': 'cluster.ca',
  '--cluster-token-file': 'cluster.tokens',
  '--node-name': 'cluster.nodeName',
} as const;

/** A text of the engine about the cluster, with the fields of Settings instead of the options of the command line. */
export function nameFields(text: string): string {
  return text.replaceAll(/--[a-z-]+/g, (flag) =>
    Object.hasOwn(fields, flag) ? t(fields[flag as keyof typeof fields]) : flag,
  );
}
