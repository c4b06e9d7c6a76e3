import { t } from '../../i18n/index.ts';
import { useClient } from '../../client/useClient.ts';
import { useToasts } from '../../window/toasts.ts';
import { saveFile } from '../../ui/files/saveFile.ts';

/** The log of a device or an MCP server, or an imported capture. */
export type CaptureSource = { deviceId: string } | { serverId: string } | { captureId: string };

/** A log whose calls cannot be replayed. */
export type SharedLog = { shared: 'gateway' } | { conversationId: string };

/** Writes a log to a file of the user's, piece by piece. */
export function useExport(): { save: (source: CaptureSource | SharedLog) => Promise<void> } {
  const client = useClient();
  const toasts = useToasts();
  return {
    async save(source) {
      try {
        const pieces: string[] = [];
        let fileName: string;
        let after: number | undefined;
        do {
          const piece = await client.captures.exportPart({ ...source, ...(after !== undefined && { after }) });
          pieces.push(piece.text);
          ({ fileName, next: after } = piece);
        } while (after !== undefined);
        saveFile(new Blob(pieces, { type: 'application/jsonl' }), fileName);
      } catch (cause) {
        toasts.fail(t('devices.captures.exportFailed'), cause);
      }
    },
  };
}
