/** Every dotted path to a text in a message object: `discovery.title`. */
export type KeysOf<T, P extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${P}${K}` : KeysOf<T[K], `${P}${K}.`>;
}[keyof T & string];
