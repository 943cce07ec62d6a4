/**
 * Whether a message looks like a credential instead of words. While a credential is awaited, no model reads
 * such a message. In doubt it counts as a credential and is asked for again. Pure. Called by credentials.ts.
 */

/** Minimum UTF-16 units of a credential; shorter tokens are times, sizes and names: `10:30am`, `30min`. */
const SHORTEST = 8
/** Maximum letters of a word of a natural language, compounds included. */
const LONGEST_WORD = 24
/** Maximum letters of a name with capitals inside, such as that of a product. */
const LONGEST_NAME = 15

const LINK = /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|(?:[a-z0-9-]{1,63}\.)+[a-z]{2,10}(?::\d{1,5})?(?:[/?#]\S*)?)$/
const MAIL = /^[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,10}[.,!?]?$/i
const COMMAND = /^\/[a-z][a-z_.-]{0,40}\d{0,4}$/i
/** Amounts, dates, times and numbers of telephones. */
const NUMBER = /^[+#(]?\d[\d.,:/()%€$-]{0,18}[.,!?]?$/
const WORDS = /^["“'(]*\p{L}+(?:[-'’/.,&]\p{L}+)*["”')]*[.,:;!?…]*$/u

/** Whether the text is a link, or the address of a person. */
export function isAddress(text: string): boolean {
  const token = text.trim()
  return LINK.test(token) || MAIL.test(token)
}

/** Whether the text is a single token that looks like no word, number, command, link or address. */
export function isNoWords(text: string): boolean {
  const token = text.trim()
  if (/\s/.test(token) || token.length < SHORTEST || !/[A-Za-z0-9]/.test(token)) return false
  if (isAddress(token) || COMMAND.test(token) || NUMBER.test(token)) return false
  if (!WORDS.test(token)) return true
  return token.split(/[^\p{L}]+/u).some((word) => {
    const isMixed = /\p{Ll}\p{Lu}/u.test(word)
    return word.length > (isMixed ? LONGEST_NAME : LONGEST_WORD)
  })
}
