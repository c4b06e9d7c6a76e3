/** Chats: their entries, their turns. */
export const chat = {
  'chat.alwaysAsks': ({ danger }: { danger: string }) => `This call asks every time: ${danger} Approve it alone.`,
  'chat.exchangeGone': 'This exchange is not kept any more: only those of the newest 200 steps are.',
  'chat.full': ({ entries }: { entries: number }) =>
    `This chat is full: it has ${entries.toLocaleString('en')} entries. Start another.`,
  'chat.gone': 'This chat is gone: it was deleted, or never was.',
  'chat.importCancelled': 'The import was cancelled. No chat was added.',
  'chat.noMessage': 'This chat has no such message.',
  'chat.noTool': 'No tool of this name is there, so its calls cannot be approved for the rest of the chat.',
  'chat.notUsersMessage': 'Only a message of yours can be run again.',
  'chat.notWaiting': 'This call does not wait for a decision any more.',
  'chat.tooLarge': ({ megabytes, most }: { megabytes: string; most: string }) =>
    `This chat has ${megabytes} MB. At most ${most} MB are sent to a model. Run an earlier message again, or start another chat.`,
  'chat.turnEnded': 'The last turn came to its end. Send a message.',
  'chat.turnRuns': 'A turn is under way in this chat. Stop it, or wait for its end.',
};
