/**
 * Words behind the time of an appointment that belong neither to its title nor to its time: "9am sharp", "if
 * possible", "their side". Must not plan. Called by unmeant.ts and noted-event.ts.
 */

/** At the end of what would be a title. As typed: "Mr Sharp" is a name. */
const STRAY =
  /(?:^|[\s,])(?:(?:for|bei|für|with) (?:them|him|her|us|ihnen|ihm|ihr|ihn|sie|uns)|(?:over|out|up|down) there|there|drüben|dort|sharp|prompt|pünktlich|instead|stattdessen|though|allerdings|or so|oder so|roughly|ungefähr|approximately|latest|at the latest|spätestens|at least|mindestens|if possible|wenn möglich|falls möglich|if that works|wenn das geht|as usual|wie immer|wie üblich|(?:their|his|her|local) (?:time|side|end)|(?:ihrer|deren|lokaler) zeit|[Oo]rtszeit|tops|max|o'clock|clock)$/u

/** German: between a time and what is booked, "um 9 Uhr dort einen Termin". */
const LEADS =
  /^(?:dort|drüben|da|hier|ortszeit|pünktlich|spätestens|frühestens|ungefähr|etwa|wieder|noch|vielleicht|möglichst) (?:eine?n?|den|die|das)(?!\p{L})/iu

/** Whether a title ends in such words. What stands together in the request was said so. */
export function endsStray(title: string, request: string): boolean {
  const words = title.trim().toLowerCase()
  const said = request.toLowerCase().replace(/\s+/g, ' ')
  if (LEADS.test(title.trim())) return true
  return STRAY.test(title.trim()) && !said.includes(words)
}

/** Perhaps a mistyped verb, which is asked for again. */
const VERBS = ['book', 'add', 'put', 'enter', 'note', 'schedule', 'trag']

/** "Bok": one letter too many, too few or another. */
export function isMistypedVerb(word: string): boolean {
  return VERBS.some((verb) => word !== verb && isTypo(word, verb))
}

function isTypo(typed: string, verb: string): boolean {
  if (Math.abs(typed.length - verb.length) > 1 || typed[0] !== verb[0] || typed.length > 5) return false
  let at = 0
  while (at < typed.length && typed[at] === verb[at]) at += 1
  const [one, other] = [typed.slice(at), verb.slice(at)]
  return one.slice(1) === other.slice(1) || one.slice(1) === other || one === other.slice(1)
}
