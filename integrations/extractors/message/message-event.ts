/**
 * Recognises questions about the calendar that no sentence has: what takes one time twice, and when something was last. Pure.
 * Must not answer them. Called by the readers and the rules model.
 */

const CLASHES =
  '(?:clash(?:es|ing)?|(?:conflicts?|conflicting)(?: (?:events|appointments|meetings))?|overlap(?:s|ping)?(?: (?:events|appointments|meetings))?|double[- ]book(?:ed|ings?)|überschneidung(?:en)?|überschneidende\\p{L}*|überlappung(?:en)?|doppelt (?:gebucht|belegt|verplant)|terminkonflikte?|konflikte?|(?:two|2) things at (?:once|the same time)|zwei (?:sachen|termine|dinge) (?:gleichzeitig|zur gleichen zeit|auf einmal))'
/** What takes one time twice: "do I have any clashes on Friday?", "hab ich am Freitag Überschneidungen?". */
const CLASH = new RegExp(
  `^(?:(?:and|und|ok),? )?(?:(?:do|have|are|is|am|did|will) (?:i|we|there)|any|what|which|where|show me|check|(?:hab|habe|haben|bin|sind|gibt|gibts|seh|sehe) ?(?:ich|wir|es)?|welche|was|wo|zeig(?:e)? mir|überschneid\\p{L}*)(?!\\p{L})(?:(?! merge )[^?]){0,40}(?<!\\p{L})(?:${CLASHES}|überschneide[tn] sich)(?!\\p{L})(?:(?! with | mit )[^?]){0,40}[?.! ]*$`,
  'iu',
)
const LAST = new RegExp(
  `^(?:(?:and|und),? )?(?:${[
    'when (?:was|were) (?:i|we) last (?:at|with|in|to|on|seeing) (?<a>[^?]{2,50}?)',
    'when did (?:i|we) last (?:go to|see|meet|have|visit|do) (?<b>[^?]{2,50}?)',
    'when was (?:my|our|the) last (?<c>[^?]{2,50}?)',
    'wann (?:war|waren) (?:ich|wir) (?:denn )?(?:zuletzt|das letzte mal) (?:beim|bei|im|in|zum|zur|mit|auf) (?<d>[^?]{2,50}?)',
    'wann (?:hatte|hatten|habe|hab|haben) (?:ich|wir) (?:denn )?(?:zuletzt|das letzte mal) (?<e>[^?]{2,50}?)(?: gehabt| getroffen| gesehen)?',
    'wann war (?:mein|meine|unser|unsere|der|die|das) letzte[rs]? (?<f>[^?]{2,50}?)',
  ].join('|')})[?.! ]*$`,
  'iu',
)
/** They stand in no calendar. */
const NO_EVENT =
  /(?<!\p{L})(?:\p{L}*mails?|messages?|repl(?:y|ies)|answers?|nachricht\p{L}*|antwort\p{L}*|runs?|jobs?|backups?|sicherung\p{L}*|reminders?|erinnerung\p{L}*|posts?|commits?|night|week|month|nacht|woche|monat)(?!\p{L})/iu

/** What somebody asks when it was last: "when was I last at the hairdresser?"; null for any other message. */
export function lastAskedIn(request: string): string | null {
  const groups = LAST.exec(request.trim())?.groups ?? {}
  const found = Object.values(groups).find((one) => one !== undefined)
  const bare = found
    ?.replace(/^(?:the|my|our|a|an|dem|der|den|die|das|meine?[mnrs]?|unsere?[mnrs]?) /iu, '')
    .trim()
  return bare === undefined || bare === '' || NO_EVENT.test(bare) ? null : bare
}

export function asksClash(request: string): boolean {
  return CLASH.test(request.trim())
}
