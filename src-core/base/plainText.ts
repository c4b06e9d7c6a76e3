/** Cyrillic and Greek letters that look like a Latin letter, and that letter. */
const lookAlikes: readonly (readonly [string, string])[] = [...'аеорсухіјѕһԁԛԝοανικАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'].map(
  (letter, at) => [letter, [...'aeopcyxijshdqwoavikABEKMHOPCTYXIJSABEZHIKMNOPTYX'][at] ?? letter],
);

/**
 * Text by its plain letters, in linear time: compatibility forms decomposed, look-alikes as Latin letters, without
 * combining marks and invisible characters. Upper and lower case stay.
 */
export function plainText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  let plain = text
    // Before the normalisation: it sorts a run of combining marks in quadratic time.
    .replace(/[\p{M}\p{Cf}]+/gu, '')
    // Each of these two is a sentence, of up to 18 characters.
    .replace(/[\ufdfa\ufdfb]+/g, ' ')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  if (!/[\u0370-\u052f]/.test(plain)) return plain;
  for (const [letter, latin] of lookAlikes) plain = plain.replaceAll(letter, latin);
  return plain;
}
