/** Whether words say that a reminder comes again until it is done. Pure. Called where one is set, and by the rules planner. */

const UNTIL_DONE =
  /,? ?(?:(?:until|till|til) (?:(?:it(?:['’]s| is)|that(?:['’]s| is)|this is|i(?:['’]ve| have)|i(?:['’]m| am)) (?:done|finished|paid|sent|sorted|sorted out|taken care of|dealt with)(?: it| that| with it)?|i(?:['’]ve| have)? (?:do|did|done|say|tell you|told you)(?: (?:it|that|so|done|it['’]s done|it is done))*)|bis (?:es|das) (?:erledigt|gemacht|fertig|bezahlt|getan) ist|bis ich (?:es|das) (?:erledigt|gemacht|bezahlt|getan) habe?)(?=[\s.,!]|$)/iu

/** The words without it; null where they do not say so. */
export function untilDoneIn(text: string): { readonly without: string } | null {
  return UNTIL_DONE.test(text)
    ? { without: text.replace(UNTIL_DONE, ' ').replace(/ {2,}/g, ' ').trim() }
    : null
}
