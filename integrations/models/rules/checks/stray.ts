/**
 * Words behind the time of an appointment that belong to neither its title nor its time: "9am sharp", "if possible", "their side". Must not plan.
 * Called by unmeant.ts.
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
