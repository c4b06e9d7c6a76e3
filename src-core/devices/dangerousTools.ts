/** By the words of a tool's name; what it does, in a sentence (spec/xiaozhi.md §2). */
const dangers: readonly { name: RegExp; reason: string }[] = [
  {
    name: /(^|[._])(reboot|restart|shutdown|power_off)$/i,
    reason: 'Restarts or switches off the device; it leaves the list.',
  },
  {
    name: /(^|[._])(upgrade_firmware|factory_reset|erase)/i,
    reason: 'Overwrites what is stored on the device. A wrong address can leave it unusable.',
  },
  { name: /(^|[._])assets[._]set_/i, reason: 'Changes where the device loads its assets from, also after a restart.' },
  {
    name: /(^|[._])reconfigure_wifi/i,
    reason: 'Drops the Wi-Fi settings; the device leaves the network until someone sets it up again.',
  },
  {
    name: /(^|[._])application[._](kill|launch)/i,
    reason: 'Starts or ends programs on the computer that the client runs on.',
  },
];

/** Why a device's tool must be confirmed before it runs; `undefined` where it need not be. */
export function dangerOf(toolName: string): string | undefined {
  return dangers.find(({ name }) => name.test(toolName))?.reason;
}
