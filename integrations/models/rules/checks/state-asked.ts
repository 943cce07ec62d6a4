/**
 * Questions about how something stands: "is yoga cancelled tomorrow?" cancels nothing. Pure; must not plan. Called by unmeant.ts and, for what is looked at instead,
 * by of-event.ts.
 */

const BEGINS = '^(?:(?:and|so|hey|und|also|sag mal),? )*'
const ENGLISH = new RegExp(
  `${BEGINS}(?:is|are|was|were|has|isn['’]?t|hasn['’]?t) (?!it possible)(?<what>[^,;:.!?]{1,80}?) (?:been |already |still |now )*(?:cancell?ed|called off|moved|changed|booked|postponed|rescheduled|confirmed|arranged|planned|set(?= for)|still on|happening)(?!\\p{L})(?: (?:to|for|until|till|from)(?!\\p{L}))?(?<when>[^,;:!?]{0,60}?)[\\s?.!]*$`,
  'iu',
)
const GERMAN = new RegExp(
  `${BEGINS}(?:ist|sind|war|waren|wurden?|wird) (?!es möglich)(?<what>[^,;:.!?]{1,80}?) (?:schon |noch |jetzt |eigentlich )*(?:abgesagt|ausgefallen|verschoben|verlegt|geändert|gebucht|eingetragen|bestätigt|geplant)(?!\\p{L})(?<when>[^,;:!?]{0,60}?)[\\s?.!]*$`,
  'iu',
)

/** The question when it is, in the same language; null for anything else. */
export function stateAsked(request: string): string | null {
  const text = request.trim()
  const english = ENGLISH.exec(text)?.groups
  if (english !== undefined) return `when is ${english['what']}${english['when']}`
  const german = GERMAN.exec(text)?.groups
  return german === undefined ? null : `wann ist ${german['what']}${german['when']}`
}
