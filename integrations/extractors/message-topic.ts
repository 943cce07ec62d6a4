/**
 * The subject of a message in the owner's own words: the title of an appointment, the fact to save, the thing to search. Must
 * not add words. Called by message.ts.
 */

/** Maximum characters of an appointment's title and of a topic (MESSAGE_FIELDS: 2,000). */
const TITLE_MAX = 200
const TOPIC_MAX = 2_000
/** Rounds of removing surrounding words from a title, one word per round. */
const ROUNDS = 12

const NAMED = /\b(?:called|named|titled|entitled)\s+(\S.{0,199})/i
const QUOTED = /["“]([^"“”]{1,200})["”]/
/** Words around a title that are not part of it, in any request. */
const LEADING = 'an?|the|me|in|on|my|some|for|to|time to|new|and|,|:|-'
const TRAILING = 'please|pls|on|at|from|for|in|by|this|next|to|until|till|and|,|-|–'
const MARKS = /^[\s,;:.!?"“”'-]{1,40}|[\s,;:.!?"“”-]{1,40}$/g

/** Pattern sources for further words before and after a title. */
export interface Around {
  readonly before: string
  readonly behind: string
}

/** `rest`: the request after its verb, with time expressions replaced by spaces. Null if nothing is left. */
export function titleOf(rest: string, email: string | null, around: Around): string | null {
  const whole = rest.replace(email ?? '\u0000', ' ')
  const own = NAMED.exec(whole)?.[1] ?? QUOTED.exec(whole)?.[1] ?? whole
  const title = strip(own.replace(/\s+/g, ' ').slice(0, TITLE_MAX), around)
  return title === '' ? null : title.charAt(0).toUpperCase() + title.slice(1)
}

/** A fact is stored completely or not at all: half of one may say the opposite. */
export function factOf(rest: string | null): string | null {
  const fact = (rest ?? '').trim()
  return fact === '' || fact.length > TOPIC_MAX ? null : fact
}

export function subjectOf(rest: string | null): string | null {
  const subject = (rest ?? '').trim().slice(0, TOPIC_MAX).replace(MARKS, '')
  return subject === '' ? null : subject
}

function strip(text: string, { before, behind }: Around): string {
  const leading = new RegExp(`^(?:${LEADING}|${before})\\s+`, 'i')
  const trailing = new RegExp(`(?:^|\\s)(?:${TRAILING}|${behind})$`, 'i')
  let title = text.replace(MARKS, '')
  for (let round = 0; round < ROUNDS; round++) {
    const next = title.replace(trailing, '').replace(leading, '').replace(MARKS, '')
    if (next === title) return title
    title = next
  }
  return title
}
