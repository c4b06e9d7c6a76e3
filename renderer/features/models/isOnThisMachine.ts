/** Whether a server's address is of this machine: such a server usually wants no key. */
export function isOnThisMachine(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');
}
