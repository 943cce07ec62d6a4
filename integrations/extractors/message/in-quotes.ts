/**
 * Whether a place in a message stands within quotation marks: what is quoted is words of somebody or of a search, and no request begins there. Pure text. Called
 * wherever a message is cut into requests.
 */

/** The mark that ends it may have been taken off with the end of the message. One behind a digit is of a length. */
const QUOTED = /"[^"]+"|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»|(?:(?<!\d)"|[“„«])[^"“”„«»]*$/gu

export function isInQuotes(text: string, at: number): boolean {
  return [...text.matchAll(QUOTED)].some(({ index, 0: quoted }) => index < at && at < index + quoted.length)
}
