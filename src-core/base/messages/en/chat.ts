/** Chats: their entries, their turns. */
export const chat = {
  'chat.alwaysAsks': ({ danger }: { danger: string }) => `This call asks every time: ${danger} Approve it alone.`,
  'chat.exchangeGone': 'This exchange is no longer stored: only those of the newest 200 steps are kept.',
  'chat.full': ({ entries }: { entries: number }) =>
    `This chat is full: it has ${entries.toLocaleString('en')} entries. Start another.`,
  'chat.gone': 'This chat does not exist. It may have been deleted.',
  'chat.importCancelled': 'The import was cancelled. No chat was added.',
  'chat.noMessage': 'This chat has no such message.',
  'chat.noTool': 'No tool has this name, so its calls cannot be approved for the rest of the chat.',
  'chat.notUsersMessage': 'Only your own messages can be run again.',
  'chat.notWaiting': 'This call no longer waits for a decision.',
  'chat.tooLarge': ({ megabytes, most }: { megabytes: string; most: string }) =>
    `This chat has ${megabytes} MB. At most ${most} MB are sent to a model. Run an earlier message again, or start another chat.`,
  'chat.turnEnded': 'The last turn has ended. Send a message.',
  'chat.turnRuns': 'A turn is running in this chat. Stop it, or wait until it ends.',
};
