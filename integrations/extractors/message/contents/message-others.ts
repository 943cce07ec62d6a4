/**
 * Whether a message contains a text of others that it is about: a quotation, a forwarded or pasted mail,
 * "what does this mean: …". Such a text is no request of the owner, so declared sentences are not matched in
 * it. Must not plan. Called by message.ts and by the rules planner.
 */

/**
 * UTF-16 units of a message in which such a text is looked for; what is longer is no request that code reads.
 */
const MOST = 20_000

/** Lines that mail and chat programs put before what others wrote. */
const QUOTED_LINE = /^[ \t]*>[ \t]?\S/m
const FORWARDED =
  /^[ \t]*(?:-{2,}[ \t]*(?:original message|forwarded message|weitergeleitete nachricht|ursprüngliche nachricht)|begin forwarded message|anfang der weitergeleiteten)/im
const SENDER = /^[ \t]*(?:from|von)[ \t]*:[ \t]*\S/im
const HEADER = /^[ \t]*(?:subject|betreff|date|datum|sent|gesendet|to|an|reply-to)[ \t]*:[ \t]*\S/im

/** Before the text: what is to be done with it as a text. An address alone is a page, which is read. */
const ASKED_ABOUT =
  /^(?:(?:hi|hey|hello|hallo|ok|please|bitte|pls|can you|could you|kannst du|könntest du)[ ,]+){0,3}(?:(?:forward|send on|pass on) (?:this|that|the following)|(?:translate|explain|rephrase|proofread|correct|summari[sz]e)(?: (?:this|that|it|the following|for me|(?:in)?to \p{L}+)){0,3}|what(?: does|'s| is)? (?:this|that|it|the following)(?: mean| about| supposed to mean)?|was (?:heißt|bedeutet|meint|soll) (?:das|dies|folgendes|der satz)(?: heißen| bedeuten)?|(?:leite|schick) (?:das|dies|folgendes) weiter|(?:übersetze?|erkläre?|korrigiere?)(?: mir)? (?:das|dies|folgendes)?(?: ?(?:ins|auf) \p{L}+)?|fasse? (?:das|dies|folgendes)? ?zusammen)[ \t]*:\s*(?!https?:\/\/\S+\s*$)\S/iu
const MEANING =
  /^(?:what (?:does|do|is meant by)|was (?:heißt|bedeutet|meint))[ \t]+["“”„«»'‘’][\s\S]+["“”„«»'‘’][ \t]*(?:means?|\?|$)/i

/** A paragraph that says whose the other one is. */
const TOLD_BEFORE =
  /^[^\n]{0,120}(?:\b(?:got|received|was sent) (?:this|the following|a|an)\b|\b(?:wrote|sent)(?: to)? (?:me|us)\b|(?<!\p{L})(?:habe?|bekam) (?:diese|folgende|eine)|(?<!\p{L})schrieb (?:mir|uns))[^\n]{0,120}\n\s*\S/iu
const TOLD_BEHIND =
  /\S\s*\n[^\n]{0,120}(?:\b(?:wrote|sent)(?: to)? (?:me|us)\b|\bis (?:this|that|it) (?:a )?(?:spam|genuine|real|legit|phishing|scam)\b|(?<!\p{L})(?:hat|haben) (?:mir|uns)[^\n]{0,60}(?:geschrieben|geschickt)|(?<!\p{L})ist das (?:spam|echt|betrug))[^\n]{0,120}$/iu

export function tellsOfOthers(text: string): boolean {
  if (text.length > MOST) return false
  const plain = text.trim()
  return (
    QUOTED_LINE.test(plain) ||
    FORWARDED.test(plain) ||
    (SENDER.test(plain) && HEADER.test(plain)) ||
    ASKED_ABOUT.test(plain) ||
    MEANING.test(plain) ||
    TOLD_BEFORE.test(plain) ||
    TOLD_BEHIND.test(plain)
  )
}
