/**
 * Why a call or a frame must be confirmed, in sentences. The window's English catalogue is this object; its other languages
 * translate it. Imports nothing, so that the page can import it.
 */
export const dangerReasons = {
  restarts: 'Restarts or switches off the device. It disconnects until its button is pressed or its wake word is said.',
  reboots:
    'Restarts a board. It disconnects until its button is pressed or its wake word is said. py-xiaozhi ignores it.',
  overwrites: 'Overwrites what is stored on the device. A wrong address can leave it unusable.',
  edits: 'Changes files, documents or a repository. It may not be possible to restore what was there before.',
  assets: 'Changes where the device loads its assets from, also after a restart.',
  changesWifi: 'Changes the Wi-Fi settings; the device can leave the network until someone sets it up again.',
  dropsWifi: 'Drops the Wi-Fi settings; the device leaves the network until someone sets it up again.',
  programs: 'Starts or ends programs on the computer that the client runs on.',
  deletes: 'Deletes data. It may not be possible to restore the data.',
  access: 'Changes who or what gets access: it opens a lock, changes rights or passwords, or disables a protection.',
  spends: 'Spends money or places an order.',
  sends: 'Sends a message or publishes something under your name.',
  named: 'Its name says that it may delete or overwrite data, run programs, change access or act under your name.',
  destructive: 'Its source says that it overwrites or deletes data.',
  notJson: 'The frame is not valid JSON. The receiver may read it differently than Toolwire does.',
  repeatedMember: 'The frame has a member twice, or two that differ in case only. The receiver may use either of them.',
  nul: 'The frame contains \\u0000. For a board, a text ends there.',
  unknownMessage: 'Toolwire does not know this message and cannot tell what the receiver does with it.',
  bytes: 'The frame is binary. The receiver may read it as text.',
  manyEscapes: 'The frame has escapes within escapes, at more levels than any call needs.',
  notCompared:
    'This call was not compared with all earlier results, because it would take too long: a tool may be steering the model.',
};

/** Says which words of a dangerous call a frame contains, after the reason for which the frame is not clear. */
export function containsWords(words: string): string {
  return `It contains "${words}", a word of dangerous calls.`;
}
